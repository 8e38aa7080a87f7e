import { de } from "./de.ts"
import { en } from "./en.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import type { Language, Words } from "./words.ts"

const WORDS: Readonly<Record<Language, Words>> = { en, de, fr, it }

export function wordsOf(language: Language): Words {
  return WORDS[language]
}

export const PLACEHOLDER = /\{(\w+)\}/gu

/** A template with its values; one that is missing is left out. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => values[name] ?? "")
}
