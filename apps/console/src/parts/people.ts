import type { Signature, SignatureRequest } from "../api/types.ts"

/** The address that a person is written to; who has no account is known by another word in `account_email`. */
export const emailOf = ({ signer_identity_data: identity, account_email }: Signature): string | null =>
  identity === null ? account_email : (identity.email_address ?? null)

export function nameOf(signature: Signature): string | null {
  const { first_name, last_name } = signature.signer_identity_data ?? {}
  const name = [first_name, last_name].filter(Boolean).join(" ")
  return name === "" ? null : name
}

export const calledOf = (signature: Signature): string => nameOf(signature) ?? emailOf(signature) ?? "–"

export const signedCount = ({ signatures }: SignatureRequest): number =>
  signatures.filter(({ status_code }) => status_code === "SIGNED").length

/** Two letters that stand for a person. */
export function initialsOf(called: string): string {
  const [first = "", second] = called.split(/[@\s._-]+/).filter(Boolean)
  return `${first.slice(0, 1)}${(second ?? first.slice(1)).slice(0, 1)}`.toUpperCase()
}

/** Who signs when: those of one step at the same time, the steps one after the other; without a place last of all. */
export function stepsOf(signatures: readonly Signature[]): readonly (readonly Signature[])[] {
  const places = [...new Set(signatures.map(({ sequence }) => sequence))].sort(byPlace)
  return places.map((place) => signatures.filter(({ sequence }) => sequence === place))
}

const byPlace = (a: number, b: number): number => (a < 0 ? 1 : b < 0 ? -1 : a - b)
