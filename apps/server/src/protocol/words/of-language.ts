import type { Language } from "@paraph/core/language"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import type { ProtocolWords } from "./words.ts"

const WORDS: Readonly<Record<Language, ProtocolWords>> = { en, de, fr, it }

export const wordsOf = (language: Language): ProtocolWords => WORDS[language]
