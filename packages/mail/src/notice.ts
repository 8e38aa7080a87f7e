import type { Language } from "@paraph/core/language"
import type { MailBrand } from "./brand.ts"
import { inWords } from "./date-words.ts"
import { quoted } from "./invitation.ts"
import type { Letter } from "./layout.ts"
import { inBody, inSubject, type Mail, mailOf } from "./mail.ts"
import { WORDS } from "./words/of-language.ts"

type OfRequest = {
  readonly language: Language
  readonly sender: string
  readonly title: string
  readonly demo: boolean
  /** A signer, or somebody who only follows: the creator, one in copy, an observer. */
  readonly reader: "signer" | "follower"
  readonly brand?: MailBrand | null
}

export type Completed = OfRequest & {
  readonly letter: "completed"
  readonly signerCount: number
  readonly documentCount: number
  readonly documents: "attached" | "too-large" | "not-attached"
  /** The signature protocol, where it was asked for. */
  readonly protocol?: "attached" | "not-attached"
}
export type Declined = OfRequest & {
  readonly letter: "declined"
  /** Who declined, by name or address; null when it is the reader. */
  readonly who: string | null
  readonly reason: string | null
}
export type Withdrawn = OfRequest & { readonly letter: "withdrawn"; readonly message: string | null }
export type Expired = OfRequest & { readonly letter: "expired"; readonly lastDay: string }
export type ExpiringSoon = OfRequest & {
  readonly letter: "expiring-soon"
  readonly lastDay: string
  /** The signer's own; a follower has none. */
  readonly link: string | null
}
export type ObserverAdded = OfRequest & { readonly letter: "observer-added"; readonly link: string }

/** What people are told about a request, beyond being asked to sign. */
export type Notice = Completed | Declined | Withdrawn | Expired | ExpiringSoon | ObserverAdded

type Told = Pick<Letter, "heading" | "paragraphs"> & Partial<Pick<Letter, "quote" | "button">>

export function notice(told: Notice): Mail {
  const { demo, invitation, why } = WORDS[told.language]
  const { heading, paragraphs, quote = null, button = null } = tell(told)
  const letter: Letter = {
    language: told.language,
    banner: told.demo ? demo : null,
    heading,
    paragraphs,
    quote,
    button,
    small: [
      ...(told.letter === "expiring-soon" && button !== null ? [invitation.personalLink] : []),
      why[told.reader](inBody.name(told.sender)),
      invitation.neverAsked,
    ],
  }
  return mailOf(subjectOf(told), letter, told.brand)
}

function subjectOf(told: Notice): string {
  const words = WORDS[told.language]
  const title = inSubject.title(told.title)
  switch (told.letter) {
    case "expiring-soon":
      return words.expiringSoon.subject(inWords(told.lastDay, told.language), title)
    case "observer-added":
      return words.observerAdded.subject(inSubject.name(told.sender), title)
    default:
      return words[told.letter].subject(title)
  }
}

function tell(told: Notice): Told {
  switch (told.letter) {
    case "completed":
      return completed(told)
    case "declined":
      return declined(told)
    case "withdrawn":
      return withdrawn(told)
    case "expired":
      return expired(told)
    case "expiring-soon":
      return expiringSoon(told)
    case "observer-added":
      return observerAdded(told)
  }
}

function completed(told: Completed): Told {
  const words = WORDS[told.language].completed
  const title = inBody.title(told.title)
  const byYou = told.signerCount === 1 ? words.byYou : words.byYouAndOthers
  const byThem = told.signerCount === 1 ? words.byOne : words.byAll
  const heading = (told.reader === "signer" ? byYou : byThem)(title)
  const sender = inBody.name(told.sender)
  const count = told.documentCount
  const protocol = protocolSaid(told, sender)
  switch (told.documents) {
    case "attached":
      return { heading, paragraphs: [words.attached(count), words.keep(count), ...protocol] }
    case "too-large":
      return { heading, paragraphs: [words.tooLarge(sender, count), ...protocol] }
    case "not-attached":
      return { heading, paragraphs: [words.notAttached(sender, count), ...protocol] }
  }
}

function protocolSaid({ protocol, language }: Completed, sender: string): readonly string[] {
  if (protocol === undefined) return []
  const words = WORDS[language].completed
  return [protocol === "attached" ? words.protocol : words.noProtocol(sender)]
}

function declined(told: Declined): Told {
  const words = WORDS[told.language].declined
  const title = inBody.title(told.title)
  if (told.who === null)
    return {
      heading: words.byYou(title),
      paragraphs: [words.over],
      quote: quoted(told.reason, words.yourReason),
    }
  const who = inBody.name(told.who)
  return {
    heading: words.heading(who, title),
    paragraphs: [words.over],
    quote: quoted(told.reason, words.reasonOf(who)),
  }
}

function withdrawn(told: Withdrawn): Told {
  const { withdrawn: words, invitation } = WORDS[told.language]
  const sender = inBody.name(told.sender)
  return {
    heading: words.heading(sender, inBody.title(told.title)),
    paragraphs: [words[told.reader]],
    quote: quoted(told.message, invitation.messageFrom(sender)),
  }
}

function expired(told: Expired): Told {
  const words = WORDS[told.language].expired
  const after = told.reader === "signer" ? words.signer(inBody.name(told.sender)) : words.follower
  return {
    heading: words.heading(inBody.title(told.title)),
    paragraphs: [words.until(inWords(told.lastDay, told.language)), after],
  }
}

function expiringSoon(told: ExpiringSoon): Told {
  const { expiringSoon: words, invitation } = WORDS[told.language]
  const heading = told.reader === "signer" ? words.signerHeading : words.followerHeading
  return {
    heading: heading(inWords(told.lastDay, told.language), inBody.title(told.title)),
    paragraphs: [words[told.reader]],
    button: told.link === null ? null : { label: words.open, link: told.link, hint: invitation.linkHint },
  }
}

function observerAdded(told: ObserverAdded): Told {
  const { observerAdded: words, invitation } = WORDS[told.language]
  return {
    heading: words.heading(inBody.name(told.sender), inBody.title(told.title)),
    paragraphs: [words.text],
    button: { label: words.open, link: told.link, hint: invitation.linkHint },
  }
}
