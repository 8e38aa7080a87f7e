import type { Identification } from "@paraph/core/identification/model"
import { LANGUAGES, type Language } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import { mustNotStateQuality, readOptionalName } from "@paraph/core/names/read-name"
import { Refusal } from "@paraph/core/refusal"
import type { Identity } from "@paraph/core/signature-request/model"
import { Type } from "typebox"
import { Email, type Members, orNull, TEXT } from "./fields.ts"

const Name = Type.String({ minLength: 1, maxLength: LIMITS.textCharacters, pattern: TEXT })

/** Part 2.4. Whether such a provider is there is for core to say. */
export const mandatoryMembers = {
  provider: Name,
  first_name: Name,
  last_name: Name,
  mobile_number: Type.String({ pattern: "^\\+?[0-9 ()./-]{4,32}$" }),
  issuing_country: Type.String({ pattern: "^[A-Za-z]{2}$", description: "Country code of two letters." }),
}

/** Decisions, "signer_identity_data": the five members of part 2.4, or the e-mail form of v2 and v3. */
export const identityMembers = {
  provider: Type.Optional(mandatoryMembers.provider),
  first_name: Type.Optional(mandatoryMembers.first_name),
  last_name: Type.Optional(mandatoryMembers.last_name),
  mobile_number: Type.Optional(mandatoryMembers.mobile_number),
  issuing_country: Type.Optional(mandatoryMembers.issuing_country),
  email_address: Type.Optional(Email),
  language: Type.Optional(Type.Enum([...LANGUAGES])),
  identity_reference: Type.Optional(Name),
  identification_require_evidence: Type.Optional(
    Type.Boolean({ description: "The signer is identified on the way to signing, whatever the quality." }),
  ),
}
export type IdentityData = Members<typeof identityMembers>

export type StatedIdentity = {
  readonly email: string | null
  readonly language: Language | null
  readonly identity: Identity
  readonly requireEvidence: boolean
}

/** All of the five, or a 400 that names those that are missing (SR-14). */
export function readIdentity(given: IdentityData): StatedIdentity {
  const isByMail =
    given.email_address !== undefined && given.provider === undefined && given.issuing_country === undefined
  const missing = isByMail ? [] : MANDATORY.filter((name) => given[name] === undefined)
  if (missing.length > 0)
    throw new Refusal("constraint-violated", `signer_identity_data lacks ${missing.join(", ")}.`)
  return {
    email: given.email_address ?? null,
    language: given.language ?? null,
    requireEvidence: given.identification_require_evidence ?? false,
    identity: {
      provider: given.provider ?? null,
      ...readNames("signer_identity_data", given),
      mobileNumber: given.mobile_number ?? null,
      issuingCountry: given.issuing_country?.toUpperCase() ?? null,
      identityReference: given.identity_reference ?? null,
    },
  }
}

/** The first and the last name of a person, each by itself and both together. */
export function readNames(
  object: string,
  given: { readonly first_name?: string | null; readonly last_name?: string | null },
): Pick<Identity, "firstName" | "lastName"> {
  const firstName = readOptionalName(`${object}.first_name`, given.first_name)
  const lastName = readOptionalName(`${object}.last_name`, given.last_name)
  mustNotStateQuality(`${object}.first_name and last_name`, `${firstName ?? ""} ${lastName ?? ""}`)
  return { firstName, lastName }
}

const MANDATORY = ["provider", "first_name", "last_name", "mobile_number", "issuing_country"] as const

/**
 * Part 2.2: of a signer without an account the first and the last name are shown. Who was named by the e-mail form alone
 * is shown by that too (choice 104).
 */
export const SignerIdentity = Type.Object({
  email_address: Type.Optional(Type.String()),
  first_name: orNull(Type.String()),
  last_name: orNull(Type.String()),
  evidence_id: Type.Optional(
    Type.String({ format: "uuid", description: "Of the identification, where the signer is identified." }),
  ),
})
export type SignerIdentity = Type.Static<typeof SignerIdentity>

export const writeIdentity = (
  { provider, firstName, lastName }: Identity,
  email: string | null,
  identification: Identification | null,
): SignerIdentity => ({
  ...(provider === null && email !== null && { email_address: email }),
  first_name: firstName,
  last_name: lastName,
  ...(identification !== null && { evidence_id: identification.id }),
})
