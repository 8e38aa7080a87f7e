import type { Language } from "@paraph/core/language"
import type { ProtocolEvent } from "@paraph/core/report/model"
import type { Block } from "@paraph/pades/paper-block"
import { fill } from "@paraph/validation/words-of-language"
import { sayEvent } from "./say-event.ts"
import { wordsOf } from "./words/of-language.ts"

/** More would be a book; the file has them all. */
export const MAX_STEPS = 400

/** What happened, each with its moment. */
export function timeline(events: readonly ProtocolEvent[], language: Language): readonly Block[] {
  const shown = events.slice(0, MAX_STEPS)
  const left = events.length - shown.length
  const { more } = wordsOf(language)
  return [
    {
      type: "rows",
      rows: shown.map((event) => ({ label: moment(event.at), text: sayEvent(event, language) })),
    },
    ...(left === 0
      ? []
      : [{ type: "paragraph", text: fill(more, { count: String(left) }), look: "grey" } as const]),
  ]
}

/** Short, and the same in every language: a column of them is compared at a glance. */
export const moment = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ")
