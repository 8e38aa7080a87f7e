import type { Language } from "@paraph/core/language"
import type { MailBrand } from "./brand.ts"
import { inWords } from "./date-words.ts"
import { lines, unlinked } from "./foreign-words.ts"
import type { Letter } from "./layout.ts"
import { inBody, inSubject, type Mail, mailOf } from "./mail.ts"
import { WORDS } from "./words/of-language.ts"

export type Invitation = {
  /** The first mail, the second one when the turn has come, or one more because the sender asked for it. */
  readonly letter: "invitation" | "your-turn" | "reminder"
  readonly language: Language
  readonly sender: string
  /** Decisions, "creator": the person of the business who is shown as the sender; null where none was named. */
  readonly creator: string | null
  readonly title: string
  readonly message: string | null
  readonly link: string
  readonly demo: boolean
  readonly documentCount: number
  readonly quality: "SES" | "AES" | "QES"
  /** The last day for signing, such as 2026-11-30. */
  readonly lastDay: string | null
  /** The day of the first mail, which a reminder names. */
  readonly invitedOn: string | null
  /** Decisions, "add a signer": who signs later is told so at once, and gets a second mail when the turn comes. */
  readonly theirTurnIsLater: boolean
  readonly brand?: MailBrand | null
}

/** The mails that ask a person to sign. */
export function invitation(invited: Invitation): Mail {
  const words = WORDS[invited.language]
  const [sender, title] = [inSubject.name(invited.sender), inSubject.title(invited.title)]
  const subjects = {
    invitation: () => words.invitation.subject(sender, title),
    "your-turn": () => words.yourTurn.subject(title),
    reminder: () => words.reminder.subject(sender, title),
  }
  return mailOf(subjects[invited.letter](), compose(invited), invited.brand)
}

function compose(invited: Invitation): Letter {
  const words = WORDS[invited.language].invitation
  const sender = inBody.name(invited.sender)
  const later = invited.theirTurnIsLater
  const { heading, lead } = opening(invited, sender, inBody.title(invited.title))
  return {
    language: invited.language,
    banner: invited.demo ? WORDS[invited.language].demo : null,
    heading,
    paragraphs: [
      ...lead,
      [words.documents(invited.documentCount), words.quality[invited.quality]].join(" "),
      ...(invited.lastDay === null ? [] : [words.deadline(inWords(invited.lastDay, invited.language))]),
      later ? words.turnIsLater : words.read,
    ],
    quote: quoted(invited.message, words.messageFrom(sender)),
    button: {
      label: later ? words.openLater : words.open(invited.documentCount),
      link: invited.link,
      hint: words.linkHint,
    },
    small: [
      ...(invited.creator === null ? [] : [words.madeBy(inBody.name(invited.creator))]),
      words.personalLink,
      words.unexpected(sender),
      words.neverAsked,
    ],
  }
}

function opening(
  { letter, language, invitedOn }: Invitation,
  sender: string,
  title: string,
): { heading: string; lead: readonly string[] } {
  const words = WORDS[language]
  switch (letter) {
    case "invitation":
      return { heading: words.invitation.heading(sender, title), lead: [] }
    case "your-turn":
      return { heading: words.yourTurn.heading(title), lead: [words.yourTurn.lead(sender)] }
    case "reminder": {
      const lead = invitedOn === null ? [] : [words.reminder.lead(inWords(invitedOn, language))]
      return { heading: words.reminder.heading(sender, title), lead }
    }
  }
}

/** Somebody's own words, marked as theirs; null where there are none. */
export function quoted(message: string | null, label: string): Letter["quote"] {
  if (message === null || message.trim() === "") return null
  return { label, lines: lines(message.trim()).map(unlinked) }
}
