import type { Language } from "@paraph/core/language"
import type { MailBrand } from "./brand.ts"
import type { Letter } from "./layout.ts"
import { inBody, inSubject, type Mail, mailOf } from "./mail.ts"
import { WORDS } from "./words/of-language.ts"

export type Code = {
  readonly language: Language
  readonly sender: string
  readonly title: string
  readonly demo: boolean
  /** Six digits. */
  readonly code: string
  readonly brand?: MailBrand | null
}

/**
 * The code by which a signer proves that this mailbox is theirs. It ends the subject, so that it can be read from a
 * notification; and there is no link, because a mail with a code and a link is what impostors send.
 */
export function code({ language, sender, title, demo, code, brand }: Code): Mail {
  const words = WORDS[language]
  const letter: Letter = {
    language,
    banner: demo ? words.demo : null,
    heading: words.code.heading(code),
    paragraphs: [words.code.text(inBody.name(sender), inBody.title(title)), words.code.lasts],
    quote: null,
    button: null,
    small: [words.code.nobody, words.code.unexpected],
  }
  return mailOf(words.code.subject(inSubject.title(title), code), letter, brand)
}
