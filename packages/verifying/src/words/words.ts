import { de } from "./de.ts"
import { en } from "./en.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import type { VerifyWords } from "./verify-words.ts"

export const LANGUAGES = ["en", "de", "fr", "it"] as const
export type Language = (typeof LANGUAGES)[number]

const WORDS: Readonly<Record<Language, VerifyWords>> = { en, de, fr, it }

export function verifyWords(language: Language): VerifyWords {
  return WORDS[language]
}

/** One that this version does not know is said by its type. */
export function sayEvent(type: string, language: Language): string {
  const { events } = WORDS[language]
  return Object.hasOwn(events, type) ? (events[type] ?? type) : type
}
