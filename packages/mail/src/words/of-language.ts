import type { Language } from "@paraph/core/language"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import type { Words } from "./words.ts"

export const WORDS = { en, de, fr, it } as const satisfies Record<Language, Words>
