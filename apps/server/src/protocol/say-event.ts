import type { Language } from "@paraph/core/language"
import type { ProtocolEvent } from "@paraph/core/report/model"
import { shownText } from "@paraph/pki/shown-text"
import { shortened } from "@paraph/validation/paper-rows"
import { wordsOf } from "./words/of-language.ts"
import type { Detail, ProtocolWords } from "./words/words.ts"

/** What happened, in one sentence, and behind it who, how and from where; of a type that this version does not know, its name. */
export function sayEvent({ type, data }: Pick<ProtocolEvent, "type" | "data">, language: Language): string {
  const words = wordsOf(language)
  const sentence = ofRecord(words.events, type) ?? type
  // In the order of the words, which is that of reading; the data are in that of the alphabet.
  const details = Object.keys(words.details).flatMap((key) => sayDetail(key as Detail, data[key], words))
  return details.length === 0 ? sentence : `${sentence.replace(/\.$/, "")} (${details.join("; ")}).`
}

function sayDetail(
  key: Detail,
  value: string | number | null | undefined,
  words: ProtocolWords,
): readonly string[] {
  if (typeof value !== "string" || value === "") return []
  return [`${words.details[key]}: ${sayValue(key, value, words)}`]
}

/** A code in words; what people wrote as they wrote it, without whatever in it could deceive. */
export function sayValue(key: Detail, value: string, { values }: ProtocolWords): string {
  const known = KINDS[key]
  const said = known && ofRecord(values[known], value)
  return said ?? shortened(shownText(value), 200)
}

const KINDS: Readonly<Partial<Record<Detail, keyof ProtocolWords["values"]>>> = {
  nameBy: "nameBy",
  document: "document",
  through: "through",
  kind: "factor",
  factor: "factor",
  letter: "letter",
  by: "by",
  for: "for",
}

/** Own members alone: a type may be called anything. */
function ofRecord(words: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}
