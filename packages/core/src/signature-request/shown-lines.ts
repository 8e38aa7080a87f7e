import type { Language } from "../language.ts"
import { displayName } from "../names/characters.ts"
import type { Kind } from "./model.ts"

/**
 * What a mark shows where it is seen: who, and when. A demo signature says first that it has no legal weight (part 1),
 * since a box that is too small loses the end of its text.
 */
export function shownLines(shown: {
  readonly kind: Kind
  readonly signerName: string
  readonly language: Language
  readonly signedAt: Date
}): readonly string[] {
  const { kind, signerName, language, signedAt } = shown
  const lines = [displayName(signerName), `${signedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`]
  return kind === "demo" ? [NO_LEGAL_EFFECT[language], ...lines] : lines
}

const NO_LEGAL_EFFECT: Readonly<Record<Language, string>> = {
  en: "TEST – no legal effect",
  de: "TEST – ohne rechtliche Wirkung",
  fr: "TEST – sans effet juridique",
  it: "TEST – senza effetti giuridici",
}
