import type { LetterToOwners } from "@paraph/core/account/model"
import type { Language } from "@paraph/core/language"
import { timeInWords } from "./date-words.ts"
import { inBody, inSubject, type Mail, mailOf } from "./mail.ts"
import { WORDS } from "./words/of-language.ts"
import { OWNER_WORDS } from "./words/owner-words.ts"

export type OwnerMail = {
  readonly language: Language
  /** As the operator registered it. */
  readonly business: string
  readonly letter: LetterToOwners
  readonly timeZone: string
  readonly link: string
}

/** To the owners of a business about what opens it. What others named, a provider or a key, is their word, and nobody's link. */
export function ownerMail({ language, business, letter, timeZone, link }: OwnerMail): Mail {
  const time = timeInWords(letter.at, language, timeZone)
  const { subject, open, paragraphs } =
    letter.letter === "key-reset"
      ? keyReset(language, letter, business, time)
      : singleSignOn(language, letter, business, time)
  return mailOf(subject(inSubject.name(business)), {
    language,
    banner: null,
    heading: subject(inBody.name(business)),
    paragraphs,
    quote: null,
    button: { label: open, link, hint: WORDS[language].invitation.linkHint },
    small: [WORDS[language].invitation.neverAsked],
  })
}

type Of<T extends LetterToOwners["letter"]> = Extract<LetterToOwners, { letter: T }>

function keyReset(language: Language, { key }: Of<"key-reset">, business: string, time: string) {
  const { subject, text, claim, open } = OWNER_WORDS[language].keyReset
  const named = inBody.name(`${key.name} …${key.hint}`)
  return { subject, open, paragraphs: [text(named, inBody.name(business), time), claim] }
}

function singleSignOn(
  language: Language,
  { by, changes }: Of<"single-sign-on-changed">,
  business: string,
  time: string,
) {
  const words = OWNER_WORDS[language]
  const { subject, open, text, notYou } = words.singleSignOn
  const said = (to: string | boolean | null) =>
    typeof to === "boolean" ? (to ? words.on : words.off) : inBody.title(to ?? "")
  const changed = changes.map(({ what, to }) => words.singleSignOn.changes[what](said(to)))
  return {
    subject,
    open,
    paragraphs: [text(inBody.name(by), inBody.name(business), time), ...changed, notYou],
  }
}
