// What the signatures of a document allow after themselves (ISO 32000-2, 12.8.2.2 and 12.8.2.4; table 236 on locks). Of
// several the strictest counts, each from its own revision on.

import { readFields } from "../content/form.ts"
import { covers } from "../content/lock.ts"
import { type FieldMdp, readFieldMdp } from "../content/transform.ts"
import type { PdfSignature } from "../signed/signatures.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { entry, isDict } from "../syntax/value.ts"
import type { Finding } from "./finding.ts"

export type Restriction = {
  readonly revision: number
  /** 1 to 3 where it says so. */
  readonly level: number | undefined
  readonly isCertification: boolean
  readonly locked: readonly FieldMdp[]
}

// A later revision can write the dictionary of a signature again, at another place. The signature is broken by that, and what it
// forbids to the later signers must stay forbidden.
const ALWAYS = -1

export function readRestrictions(pdf: Pdf, signatures: readonly PdfSignature[]): readonly Restriction[] {
  const { signatureFields } = readFields(pdf, () => null)
  return signatures.map(({ revision, fieldName, docMdp, fieldMdp, type }) => {
    const dict = signatureFields.find(({ name }) => name === fieldName)?.dict
    const lock = dict === undefined ? null : resolve(pdf, entry(dict, "Lock"))
    const ofLock = isDict(lock) ? resolve(pdf, entry(lock, "P")) : null
    const levels = [docMdp, ofLock].filter((level) => typeof level === "number")
    const locks = [fieldMdp, isDict(lock) ? readFieldMdp(pdf, lock) : undefined]
    return {
      revision: revision ?? ALWAYS,
      level: levels.length === 0 ? undefined : Math.min(...levels),
      isCertification: type === "certification",
      locked: locks.filter((one) => one !== undefined),
    }
  })
}

/** Whether nothing allows what this revision did. */
export function isForbidden(finding: Finding, revision: number, all: readonly Restriction[]): boolean {
  const { needs, field } = finding
  if (needs === "never" || needs === "nothing") return needs === "never"
  const inForce = all.filter((one) => one.revision < revision)
  const forbids = (least: number) => inForce.some(({ level }) => level !== undefined && level < least)
  if (forbids(needs === "placing" ? 3 : 2)) return true
  // Only a certification can allow it.
  if (needs === "annotating")
    return forbids(3) || !inForce.some(({ isCertification, level }) => isCertification && level === 3)
  return field !== undefined && inForce.some(({ locked }) => locked.some((one) => covers(one, field)))
}
