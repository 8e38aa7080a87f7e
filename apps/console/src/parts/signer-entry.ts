import type { NewSignature } from "../api/types.ts"
import type { Language } from "../language.ts"

export type PersonData = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly language: Language
}

export const NOBODY: PersonData = { email: "", firstName: "", lastName: "", language: "en" }

/** Good enough to be saved; whether the mailbox is there only a mail can tell. */
export const isAddress = (text: string): boolean =>
  /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]{2,}$/.test(text.trim())

/** Whoever is named is a signer with identity data, the others are known by their address alone (part 2.4). */
export function entryOf({ email, firstName, lastName, language }: PersonData): NewSignature {
  const address = email.trim()
  const first_name = firstName.trim()
  const last_name = lastName.trim()
  if (first_name === "" && last_name === "") return { account_email: address, language }
  return {
    language,
    signer_identity_data: {
      email_address: address,
      ...(first_name !== "" && { first_name }),
      ...(last_name !== "" && { last_name }),
    },
  }
}
