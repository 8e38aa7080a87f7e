import type { Language } from "@paraph/core/language"
import { lines, oneLine, shortened, unlinked } from "./foreign-words.ts"
import { type Letter, letterAsHtml, letterAsText } from "./layout.ts"
import { de } from "./words/de.ts"
import { en } from "./words/en.ts"
import { fr } from "./words/fr.ts"
import { it } from "./words/it.ts"
import type { Words } from "./words/words.ts"

export type Invitation = {
  readonly language: Language
  readonly sender: string
  readonly title: string
  readonly message: string | null
  readonly link: string
  readonly demo: boolean
  readonly documentCount: number
  /** Decisions, "add a signer": who signs later is told so at once, and gets a second mail when the turn comes. */
  readonly theirTurnIsLater?: boolean
}

export type Mail = { readonly subject: string; readonly text: string; readonly html: string }

const WORDS = { en, de, fr, it } as const satisfies Record<Language, Words>

/** Names and titles may have 1024 characters. The whole of them stands at the door; a mail must stay a mail. */
const SUBJECT_SENDER_MAX = 80
const SUBJECT_TITLE_MAX = 120
const BODY_SENDER_MAX = 120
const BODY_TITLE_MAX = 300

/** The mail that asks a person to sign. */
export function invitation(invited: Invitation): Mail {
  const words = WORDS[invited.language].invitation
  const sender = oneLine(invited.sender)
  const title = oneLine(invited.title)
  const letter = compose(
    invited,
    unlinked(shortened(sender, BODY_SENDER_MAX)),
    unlinked(shortened(title, BODY_TITLE_MAX)),
  )
  return {
    subject: words.subject(shortened(sender, SUBJECT_SENDER_MAX), shortened(title, SUBJECT_TITLE_MAX)),
    text: letterAsText(letter),
    html: letterAsHtml(letter),
  }
}

function compose(invited: Invitation, sender: string, title: string): Letter {
  const words = WORDS[invited.language].invitation
  const later = invited.theirTurnIsLater === true
  return {
    language: invited.language,
    banner: invited.demo ? WORDS[invited.language].demo : null,
    heading: words.heading(sender, title),
    paragraphs: [words.documents(invited.documentCount), later ? words.turnIsLater : words.read],
    quote: quote(invited.message, words.messageFrom(sender)),
    button: { label: later ? words.openLater : words.open, link: invited.link },
    linkHint: words.linkHint,
    small: [words.personalLink, words.unexpected(sender), words.neverAsked],
  }
}

function quote(message: string | null, label: string): Letter["quote"] {
  if (message === null || message.trim() === "") return null
  return { label, lines: lines(message.trim()).map(unlinked) }
}
