// Who established the name of a certificate's subject, stated by the issuer as a certificate policy with a user notice (RFC 5280,
// 4.2.1.4). Every program that shows certificates shows the notice. A claim of the issuer, like the name itself.

import { expectTag, readDer, readOid, TAG } from "../der/der.ts"
import { oid, sequence, utf8String } from "../der/der-writer.ts"
import { ifReadable } from "../der/optional.ts"
import type { Extension } from "./extension.ts"
import { readCertificatePolicies } from "./extensions.ts"

/** `identification`: a provider of identification; `member`: a member of the business that asked for the signature, in person. */
export type NameProofKind = "identification" | "member"

export type NameProofStatement = {
  readonly by: NameProofKind
  /** The provider; null for a member, who is named in the evidence only. */
  readonly provider: string | null
  readonly at: Date
}

/** An identifier of our own, made from a UUID (ITU-T X.667, 6.3), so that no authority had to assign it. */
export const NAME_PROOF_POLICY = "2.25.36851002145949315098081036643924030109"
const USER_NOTICE = "1.3.6.1.5.5.7.2.2"
/** RFC 5280, 4.2.1.4: an explicit text has at most 200 characters. */
const PROVIDER_CHARACTERS = 100

/** The PolicyInformation, for the extension of certificate policies. */
export function writeNameProof({ by, provider, at }: NameProofStatement): Uint8Array {
  const named = [...(provider ?? "")].slice(0, PROVIDER_CHARACTERS).join("")
  const who = by === "member" ? "a member of the business in person" : `identification by ${named}`
  const text = `Name established by ${who} on ${at.toISOString()}`
  const notice = sequence(oid(USER_NOTICE), sequence(utf8String(text)))
  return sequence(oid(NAME_PROOF_POLICY), sequence(notice))
}

const NOTICE =
  /^Name established by (?:a member of the business in person|identification by (.{1,200})) on (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/

/** Null where the certificate states nothing, or not in the form above. */
export function readNameProof(extensions: readonly Extension[]): NameProofStatement | null {
  const policies = ifReadable(() => readCertificatePolicies(extensions)) ?? []
  const { qualifiers } = policies.find(({ policy }) => policy === NAME_PROOF_POLICY) ?? {}
  const text = qualifiers && ifReadable(() => readNotice(qualifiers))
  const found = NOTICE.exec(text ?? "")
  if (found === null) return null
  const [, provider, time = ""] = found
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return null
  return { by: provider === undefined ? "member" : "identification", provider: provider ?? null, at }
}

function readNotice(qualifiers: Uint8Array): string | undefined {
  const [first] = expectTag(readDer(qualifiers), TAG.sequence, "policy qualifiers").children
  const [id, notice] = expectTag(first, TAG.sequence, "policy qualifier").children
  if (readOid(id, "policy qualifier") !== USER_NOTICE) return undefined
  const text = expectTag(notice, TAG.sequence, "user notice").children.find(
    ({ tag }) => tag === TAG.utf8String,
  )
  return text && Buffer.from(text.content).toString("utf8")
}
