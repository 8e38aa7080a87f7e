// One archive in words: what all of it is, and then only what does not hold.

import { shownText } from "@paraph/pki/shown-text"
import { quoted, sayTime } from "@paraph/validation/words"
import { fill } from "@paraph/validation/words-of-language"
import type { ToldPart } from "./say.ts"
import { sayDocument } from "./say-document.ts"
import { sayOther } from "./say-other.ts"
import { sayStory } from "./say-story.ts"
import type { VerifiedArchive } from "./verified.ts"
import { type Language, verifyWords } from "./words/words.ts"

export function sayArchive(archive: VerifiedArchive, language: Language): ToldPart {
  const { standings, archive: words } = verifyWords(language)
  const { name, standing, business, exportedAt, isLast, files, signed, stories, faults } = archive
  const whole = [
    fill(words.whole, { files: String(files) }),
    fill(words.counted, { signed: String(signed), stories: String(stories) }),
  ]
  const of =
    business === null || exportedAt === null
      ? []
      : [
          fill(words.of, {
            business: quoted(shownText(business), language),
            time: sayTime(exportedAt, language),
          }),
        ]
  const { withoutNews } = archive
  return {
    title: shownText(name),
    standing,
    standingText: standings[standing],
    sentences: [
      ...of,
      ...(faults.length === 0
        ? whole
        : faults.map(({ fault, path }) => fill(words.faults[fault], { path: shownText(path) }))),
      ...(withoutNews === 0 ? [] : [fill(words.withoutNews, { stories: String(withoutNews) })]),
      ...(isLast ? [] : [words.more]),
      ...(archive.isDemo ? [words.demo] : []),
    ],
    rows: [],
    parts: [
      ...archive.left.documents.map((document) => sayDocument(document, language)),
      ...archive.left.stories.map((story) => sayStory(story, language)),
      ...archive.left.others.map((other) => sayOther(other, language)),
    ],
    events: null,
  }
}
