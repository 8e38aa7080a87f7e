// A file that is neither a PDF nor a story, or is not there.

import { shownText } from "@paraph/pki/shown-text"
import { fill } from "@paraph/validation/words-of-language"
import type { ToldPart } from "./say.ts"
import type { OtherFile } from "./verified.ts"
import { type Language, verifyWords } from "./words/words.ts"

export function sayOther({ name, problem }: OtherFile, language: Language): ToldPart {
  const { standings, others } = verifyWords(language)
  const of = { standing: "unsure", standingText: standings.unsure } as const
  const sentences = [fill(others[problem], { name: shownText(name) })]
  return { title: shownText(name), ...of, sentences, rows: [], parts: [], events: null }
}
