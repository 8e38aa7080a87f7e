import type { Kind, SignatureRequest } from "../signature-request/model.ts"
import type { EstablishedName, NameProof } from "./model.ts"

/** The name of an account, as a third party proved it with a production signature. */
export type ProvenName = {
  readonly accountId: string
  /** The business whose member vouched; null where a provider of identification proved it, which every business may rely on. */
  readonly businessId: string | null
  readonly name: string
  readonly givenName: string | null
  readonly surname: string | null
  readonly by: "identification" | "member"
  readonly proof: NameProof
}

/** What a signature with a factor of this account proves about the name of the account; null: nothing. */
export function provenNameOf(
  { kind, businessId }: { readonly kind: Kind } & Pick<SignatureRequest, "businessId">,
  accountId: string,
  { name, givenName, surname, by, proof }: EstablishedName,
): ProvenName | null {
  if (kind === "demo" || proof === null) return null
  if (by === "identification") return { accountId, businessId: null, name, givenName, surname, by, proof }
  return by === "member" ? { accountId, businessId, name, givenName, surname, by, proof } : null
}
