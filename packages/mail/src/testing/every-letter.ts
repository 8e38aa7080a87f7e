import type { Language } from "@paraph/core/language"
import { code } from "../code.ts"
import { type Invitation, invitation } from "../invitation.ts"
import type { Mail } from "../mail.ts"
import { type Notice, notice } from "../notice.ts"

/** Words of other people: who sends, what it is called, what they write, who declined. */
export type Foreign = {
  readonly sender: string
  readonly title: string
  readonly words: string
  readonly who: string
}

export const LINK = "https://sign.example.ch/sign/AbC123?x=1&y=2"

export type Sample = {
  readonly name: string
  readonly mail: Mail
  /** How often the one link may stand in it: as a button, and to copy; never for a mail that asks for nothing. */
  readonly hasLink: boolean
  readonly hasQuote: boolean
}

/** Every letter to every kind of reader, in one language. */
export function everyLetter(language: Language, foreign: Foreign, demo = true): readonly Sample[] {
  return [
    ...asking(language, foreign, demo),
    proving(language, foreign, demo),
    ...telling(language, foreign, demo),
  ]
}

function asking(language: Language, foreign: Foreign, demo: boolean): readonly Sample[] {
  const plain: Invitation = {
    letter: "invitation",
    language,
    demo,
    sender: foreign.sender,
    creator: null,
    title: foreign.title,
    message: foreign.words,
    link: LINK,
    documentCount: 1,
    quality: "SES",
    lastDay: null,
    invitedOn: null,
    theirTurnIsLater: false,
  }
  const kinds: Readonly<Record<string, Partial<Invitation>>> = {
    invitation: {},
    "invitation, later": { theirTurnIsLater: true, documentCount: 3, quality: "QES" },
    "invitation, by a person": { creator: foreign.who, lastDay: "2026-11-08", quality: "AES" },
    "your-turn": { letter: "your-turn", lastDay: "2026-12-01" },
    reminder: { letter: "reminder", invitedOn: "2026-11-11" },
  }
  return Object.entries(kinds).map(([name, more]) => {
    const mail = invitation({ ...plain, ...more })
    return { name, mail, hasLink: true, hasQuote: true }
  })
}

const proving = (language: Language, { sender, title }: Foreign, demo: boolean): Sample => ({
  name: "code",
  mail: code({ language, demo, sender, title, code: "042137" }),
  hasLink: false,
  hasQuote: false,
})

function telling(language: Language, foreign: Foreign, demo: boolean): readonly Sample[] {
  const of = { language, demo, sender: foreign.sender, title: foreign.title }
  return (["signer", "follower"] as const).flatMap((reader) => {
    const to = { ...of, reader }
    const done = { letter: "completed", ...to, signerCount: 2, documentCount: 2 } as const
    const kinds: Readonly<Record<string, Notice>> = {
      completed: { ...done, documents: "attached" },
      "completed, one alone": { ...done, documents: "attached", signerCount: 1, documentCount: 1 },
      "completed, with its protocol": { ...done, documents: "attached", protocol: "attached" },
      "completed, without its protocol": { ...done, documents: "attached", protocol: "not-attached" },
      "completed, too large": { ...done, documents: "too-large" },
      "completed, nothing attached": { ...done, documents: "not-attached", documentCount: 1 },
      declined: { letter: "declined", ...to, who: foreign.who, reason: foreign.words },
      "declined by the reader": { letter: "declined", ...to, who: null, reason: foreign.words },
      withdrawn: { letter: "withdrawn", ...to, message: foreign.words },
      expired: { letter: "expired", ...to, lastDay: "2026-11-30" },
      "expiring-soon": {
        letter: "expiring-soon",
        ...to,
        lastDay: "2026-11-11",
        link: reader === "signer" ? LINK : null,
      },
      "observer-added": { letter: "observer-added", ...to, link: LINK },
    }
    return Object.entries(kinds)
      .filter(([name]) => isFor(name, reader))
      .map(([name, told]) => ({
        name: `${name}, to a ${reader}`,
        mail: notice(told),
        hasLink: "link" in told && told.link !== null,
        hasQuote: told.letter === "declined" || told.letter === "withdrawn",
      }))
  })
}

/** Nobody observes and signs by the same letter, and who only follows declines nothing. */
const isFor = (name: string, reader: "signer" | "follower"): boolean =>
  reader === "signer" ? name !== "observer-added" : name !== "declined by the reader"
