// What was found, in plain words: the command prints it, the page shows it. Whatever comes from a file is made harmless to read
// before it stands in a sentence of ours.

import { isChanged, sayTime } from "@paraph/validation/words"
import { fill } from "@paraph/validation/words-of-language"
import { sayArchive } from "./say-archive.ts"
import { sayDocument } from "./say-document.ts"
import { sayOther } from "./say-other.ts"
import { sayStory } from "./say-story.ts"
import type { Standing, Verified } from "./verified.ts"
import { type Language, verifyWords } from "./words/words.ts"

export type Told = {
  readonly standing: Standing
  readonly headline: string
  readonly checkedFor: string
  readonly parts: readonly ToldPart[]
  /** About everything. */
  readonly notes: readonly string[]
}

/** A file, a signature or a story. */
export type ToldPart = {
  readonly title: string
  readonly standing: Standing
  readonly standingText: string
  readonly sentences: readonly string[]
  readonly rows: readonly Row[]
  readonly parts: readonly ToldPart[]
  readonly events: ToldEvents | null
}

export type Row = { readonly label: string; readonly text: string; readonly isCode?: boolean }

export type ToldEvents = {
  readonly title: string
  readonly heads: readonly [number: string, time: string, event: string, details: string]
  readonly rows: readonly (readonly [number: string, time: string, event: string, details: string])[]
}

export function sayVerified(verified: Verified, language: Language): Told {
  const words = verifyWords(language)
  const { standing, documents, stories, archives, others, at } = verified
  const isEmpty = documents.length + stories.length + archives.length + others.length === 0
  const isUnsure = [...documents, ...stories, ...archives].some((one) => one.standing === "unsure")
  return {
    standing,
    headline: words.headlines[isEmpty ? "nothing" : isOnlyChanged(verified) ? "changed" : standing],
    checkedFor: fill(words.checkedFor, { time: sayTime(at, language) }),
    parts: [
      ...documents.map((document) => sayDocument(document, language)),
      ...stories.map((story) => sayStory(story, language)),
      ...archives.map((archive) => sayArchive(archive, language)),
      ...others.map((other) => sayOther(other, language)),
    ],
    notes: [
      ...(verified.trusted === 0 && isUnsure ? [words.noTrust] : []),
      ...(isNotDrawn(verified) ? [words.notDrawn] : []),
    ],
  }
}

/** What was signed is not what is there now, and nothing worse is known. */
function isOnlyChanged({ standing, documents }: Verified): boolean {
  return standing === "unsure" && documents.some(({ report }) => report?.signatures.some(isChanged))
}

/** A page had to be compared, by something that cannot draw one. */
function isNotDrawn({ comparesPages, documents, archives }: Verified): boolean {
  const all = [...documents, ...archives.flatMap(({ left }) => left.documents)]
  return (
    !comparesPages &&
    all.some(({ report }) =>
      report?.signatures.some(({ reasons }) => reasons.some(({ code }) => code === "not-all-compared")),
    )
  )
}
