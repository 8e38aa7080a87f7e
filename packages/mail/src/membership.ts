import type { Language } from "@paraph/core/language"
import { inBody, inSubject, type Mail, mailOf } from "./mail.ts"
import { MEMBERSHIP_WORDS } from "./words/membership-words.ts"
import { WORDS } from "./words/of-language.ts"

export type MembershipMail = {
  readonly language: Language
  readonly business: string
  /** The e-mail address of whoever invites the person. */
  readonly by: string
  /** Whether the person has an account to sign in with. */
  readonly registered: boolean
  readonly link: string
}

/** To somebody whom a business wants as a member. The name of the business is its own word, and nobody's link. */
export function membershipMail({ language, business, by, registered, link }: MembershipMail): Mail {
  const words = MEMBERSHIP_WORDS[language]
  const { invitation } = WORDS[language]
  const named = inBody.name(business)
  const subject = words.subject(inSubject.name(business))
  return mailOf(subject, {
    language,
    banner: null,
    heading: words.subject(named),
    paragraphs: [words.invited(inBody.name(by), named), registered ? words.signIn : words.register],
    quote: null,
    button: {
      label: registered ? words.openConsole : words.openRegister,
      link,
      hint: invitation.linkHint,
    },
    small: [words.ignore(named), invitation.neverAsked],
  })
}
