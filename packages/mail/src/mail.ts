import { displayName } from "@paraph/core/names/characters"
import type { MailBrand } from "./brand.ts"
import { oneLine, shortened, unlinked } from "./foreign-words.ts"
import { type Letter, letterAsHtml, letterAsText } from "./layout.ts"
import { WORDS } from "./words/of-language.ts"

export type Mail = { readonly subject: string; readonly text: string; readonly html: string }

/** Names and titles may have 1024 characters. The whole of them stands at the door; a mail must stay a mail. */
const SUBJECT_NAME_MAX = 80
const SUBJECT_TITLE_MAX = 120
const BODY_NAME_MAX = 120
const BODY_TITLE_MAX = 300

/** Somebody else's name and title, as a subject may hold them, and as a body may. */
export const inSubject = {
  name: (name: string) => shortened(displayName(name), SUBJECT_NAME_MAX),
  title: (title: string) => shortened(oneLine(title), SUBJECT_TITLE_MAX),
}
export const inBody = {
  name: (name: string) => unlinked(shortened(displayName(name), BODY_NAME_MAX)),
  title: (title: string) => unlinked(shortened(oneLine(title), BODY_TITLE_MAX)),
}

export function mailOf(subject: string, plain: Letter, brand: MailBrand | null = null): Mail {
  const letter = { ...plain, small: [...plain.small, ...whose(plain, brand)] }
  return { subject, text: letterAsText(letter), html: letterAsHtml(letter, brand) }
}

/** A business may send under another name; who it is stands in the mail all the same. */
const whose = ({ language }: Letter, brand: MailBrand | null): readonly string[] =>
  brand?.business == null ? [] : [WORDS[language].sentBy(inBody.name(brand.business))]
