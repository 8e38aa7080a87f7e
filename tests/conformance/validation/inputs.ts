// What is judged: foreign files, each at two times and with the roots that it brings along as anchors, and files of our own
// engine, whole and broken.

import { globSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import { bytesSource } from "@paraph/pades/source"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import type { TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { claimedTime } from "@paraph/validation/claimed-time"
import { gatherMaterial } from "@paraph/validation/material"
import { makeAll } from "../matrix.ts"

export type ToJudge = {
  /** For the table; the same file at another time has another title. */
  readonly title: string
  readonly file: string
  readonly at: Date
  readonly anchors: readonly Certificate[]
}

/** Some day long after all of them were signed. */
export const LATER = new Date("2026-11-01T00:00:00Z")
const DAY_MS = 86_400_000

/** Files that have a signature, or that we cannot read: later, and a day after the last time that they name. */
export function foreignFiles(corpora: string): readonly ToJudge[] {
  const found: ToJudge[] = []
  for (const pattern of ["dss/**/*.pdf", "pyhanko/**/*.pdf"])
    for (const file of globSync(pattern, { cwd: corpora }).sort())
      found.push(...timesOf(join(corpora, file), file))
  return found
}

function timesOf(file: string, name: string): readonly ToJudge[] {
  const read = readMaterial(readFileSync(file))
  if (read === undefined) return [{ title: name, file, at: LATER, anchors: [] }]
  const { material, evidence } = read
  if (material.signatures.length === 0) return []
  const anchors = selfIssued(evidence.certificates)
  const stamps = [...material.signatures.flatMap((one) => one.stamps), ...material.timestamps]
  // Revocation information that was added later counts too: before it was made, nothing could be judged by it.
  const times = [
    ...material.signatures.map(claimedTime),
    ...stamps.map(({ token }) => token?.genTime),
    ...evidence.answers.map(({ producedAt }) => producedAt),
    ...evidence.lists.map(({ thisUpdate }) => thisUpdate),
  ]
  const last = Math.max(0, ...times.map((at) => at?.getTime() ?? 0))
  return [
    { title: `${name} later`, file, at: LATER, anchors },
    { title: `${name} then`, file, at: new Date(last + DAY_MS), anchors },
  ]
}

/** The roots that a file brings along, trusted for the test. */
export function rootsIn(bytes: Uint8Array): readonly { readonly certificate: Certificate }[] {
  const read = readMaterial(bytes)
  return selfIssued(read?.evidence.certificates ?? []).map((certificate) => ({ certificate }))
}

const selfIssued = (certificates: readonly Certificate[]): readonly Certificate[] =>
  certificates.filter(({ subject, issuer }) => Buffer.compare(subject, issuer) === 0)

function readMaterial(bytes: Uint8Array) {
  try {
    return gatherMaterial(openPdf(bytesSource(bytes), { password: "" }))
  } catch (error) {
    if (error instanceof PdfRefused) return undefined
    throw error
  }
}

/** Every file of the matrix, and each once more with one octet of the content or of the signature changed. */
export async function ownFiles(sandbox: TrustSandbox, folder: string): Promise<readonly ToJudge[]> {
  const anchors = [readCertificate(sandbox.root)]
  const made = await makeAll(sandbox, folder)
  // After all of them were made: a validator does not take evidence from the future.
  const at = new Date()
  const whole = made.map(({ file }) => ({ title: `engine ${basename(file)}`, file, at, anchors }))
  const broken: ToJudge[] = []
  for (const [i, { file }] of made.entries()) {
    if (i % 3 !== 0) continue
    const path = join(folder, `broken-${basename(file)}`)
    await writeFile(path, broke(readFileSync(file), i))
    broken.push({ title: `engine broken ${basename(file)}`, file: path, at, anchors })
  }
  return [...whole, ...broken]
}

// In the text of the page, which every one of the inputs has; or in the value of the first signature.
function broke(bytes: Buffer, i: number): Buffer {
  const copy = Buffer.from(bytes)
  const hole = copy.indexOf("/Contents <")
  const content = copy.indexOf("stream") + 10
  const place = i % 2 === 0 ? content : hole + 1500
  copy[place] = (copy[place] ?? 0) === 0x30 ? 0x31 : 0x30
  return copy
}
