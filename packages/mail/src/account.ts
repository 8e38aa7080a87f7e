import type { Language } from "@paraph/core/language"
import { type Mail, mailOf } from "./mail.ts"
import { ACCOUNT_WORDS, type AccountMailLetter } from "./words/account-words.ts"
import { WORDS } from "./words/of-language.ts"

export type AccountMail = {
  readonly language: Language
  readonly letter: AccountMailLetter
  /** Of the letters that carry one. */
  readonly code: string | null
  /** Where the person can do something about it; not in a letter with a code, which is typed where it was asked for. */
  readonly link: string | null
}

/** About a person's own account: a code that was asked for, or what was changed, and what to do if it was not them. */
export function accountMail({ language, letter, code, link }: AccountMail): Mail {
  const words = ACCOUNT_WORDS[language]
  const { invitation } = WORDS[language]
  const { subject, text, open } = words.letters[letter]
  const isNotice = letter !== "register" && letter !== "recover" && letter !== "known"
  return mailOf(subject, {
    language,
    banner: null,
    heading: code === null ? subject : `${words.codeLabel} ${code}`,
    paragraphs: [text, ...(isNotice ? [words.notYou] : [])],
    quote: null,
    button: link === null || open === undefined ? null : { label: open, link, hint: invitation.linkHint },
    small: [
      ...(code === null ? [] : [words.codeLasts, words.keepCode]),
      ...(isNotice ? [] : [words.ignore]),
      invitation.neverAsked,
    ],
  })
}
