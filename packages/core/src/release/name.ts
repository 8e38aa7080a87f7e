import type { CertificateSubject, NameStatement } from "../certificate/ports.ts"
import { identificationOf, identifiedName } from "../identification/needed.ts"
import { LIMITS } from "../limits.ts"
import { displayName } from "../names/characters.ts"
import { isPlainName } from "../names/read-name.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import type { EstablishedName } from "./model.ts"
import type { ProvenName } from "./proven-name.ts"

/** What is known of the account of the signer. */
export type NamedAccount = { readonly name: string; readonly proven: ProvenName | null } | null

type Of = Pick<SignatureRequest, "kind" | "quality">

/**
 * The name that a third party established for this signature (decisions, "identity behind AES"). With a demo key, what the account or
 * the sender states is enough. Null where there is no such name.
 */
export function establishedName(
  request: Of,
  signature: Signature,
  account: NamedAccount,
  now: Date,
): EstablishedName | null {
  const proved =
    byIdentification(request, signature, now) ??
    byMember(signature) ??
    byAccount(account?.proven ?? null, now)
  return proved ?? (request.kind === "demo" ? statedName(signature, account) : null)
}

/** What the account or else the sender says. It proves nothing. */
export function statedName(
  { identity }: Pick<Signature, "identity">,
  account: Pick<NonNullable<NamedAccount>, "name"> | null,
): EstablishedName | null {
  const named = displayName(account?.name ?? "")
  if (named !== "") return { name: named, givenName: null, surname: null, by: "account", proof: null }
  const stated = fullName(identity?.firstName ?? null, identity?.lastName ?? null)
  return stated && { ...stated, by: "requester", proof: null }
}

function byIdentification(request: Of, signature: Signature, now: Date): EstablishedName | null {
  const name = displayName(identifiedName(request, signature, now) ?? "")
  const identification = identificationOf(request, signature)
  if (name === "" || identification === null) return null
  const { provider: source, decidedAt } = identification
  const proof = { by: "identification", source, at: (decidedAt ?? now).toISOString() } as const
  return { name, givenName: null, surname: null, by: "identification", proof }
}

function byMember({ vouch }: Pick<Signature, "vouch">): EstablishedName | null {
  const name = vouch && fullName(vouch.givenName, vouch.surname)
  return name && { ...name, by: "member", proof: { by: "member", source: vouch.by, at: vouch.at } }
}

/** Names change, so a proof does not stand for ever. */
function byAccount(proven: ProvenName | null, now: Date): EstablishedName | null {
  if (proven === null || now.getTime() - Date.parse(proven.proof.at) > LIMITS.provenNameMs) return null
  const { name, givenName, surname, proof } = proven
  return { name, givenName, surname, by: "account", proof }
}

function fullName(first: string | null, last: string | null) {
  const givenName = displayName(first ?? "") || null
  const surname = displayName(last ?? "") || null
  const name = [givenName, surname].filter((part) => part !== null).join(" ")
  return name === "" ? null : { name, givenName, surname }
}

/** What a certificate states of the proof. */
export function nameStatement({ proof }: EstablishedName): NameStatement | null {
  if (proof === null || proof.by === "certificate") return null
  const { by, source, at } = proof
  return { by, provider: by === "member" ? null : source, at: new Date(at) }
}

export const canBeCertified = (name: string): boolean =>
  [...name].length <= LIMITS.commonNameCharacters && isPlainName(name)

/** EN 319 412-2, 4.2.4: the serial number tells people of one name apart, and is of this signature alone. */
export const subjectOf = (
  { name, givenName, surname }: Pick<EstablishedName, "name" | "givenName" | "surname">,
  signatureId: string,
): CertificateSubject => ({
  // A turn may have been taken before names were checked.
  commonName: displayName(name),
  givenName: givenName && displayName(givenName),
  surname: surname && displayName(surname),
  organization: null,
  country: null,
  serialNumber: signatureId.replaceAll("-", "").toUpperCase(),
})
