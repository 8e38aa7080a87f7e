import type { GroupBody } from "../../api/groups.ts"
import type { Group } from "../../api/types.ts"
import type { Language } from "../../language.ts"
import { isAddress, NOBODY, type PersonData } from "../../parts/signer-entry.ts"

/** A line of the form; it keeps its key while others come and go. */
export type Entry = PersonData & { readonly key: string }

export const newEntry = (language: Language): Entry => ({ ...NOBODY, language, key: crypto.randomUUID() })

export const entriesOf = ({ members }: Group, language: Language): readonly Entry[] =>
  members.map((member) => ({
    key: member.email,
    email: member.email,
    firstName: member.first_name ?? "",
    lastName: member.last_name ?? "",
    language: member.language ?? language,
  }))

export const bodyOf = (name: string, entries: readonly Entry[]): GroupBody => ({
  name: name.trim(),
  members: entries.map(({ email, firstName, lastName, language }) => ({
    email: email.trim(),
    first_name: firstName.trim() === "" ? null : firstName.trim(),
    last_name: lastName.trim() === "" ? null : lastName.trim(),
    language,
  })),
})

export const areComplete = (name: string, entries: readonly Entry[]): boolean =>
  name.trim() !== "" && entries.length > 0 && entries.every(({ email }) => isAddress(email))

export function calledOfMember({ first_name, last_name, email }: Group["members"][number]): string {
  const name = [first_name, last_name].filter(Boolean).join(" ")
  return name === "" ? email : name
}
