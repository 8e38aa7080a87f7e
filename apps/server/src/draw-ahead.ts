import type { Document } from "@paraph/core/document/model"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import type { Previews } from "./previews.ts"

/** As the signing pages ask for it in most windows and on most phones; the same members in the same order, for the memory's sake. */
export const FIRST_PAGE = { page: 0, widthPx: 800, format: "webp" } as const

export type DrawAhead = (document: Document | undefined) => void

/**
 * While somebody reads the door, the first page is drawn, and a large document brought to hand: both are there when it
 * opens. Nothing is kept but in the memory of this process, which forgets the oldest. Scanners of mails open the door too:
 * so one business has one such drawing at a time and a process two, and what was drawn, or could not be, is not drawn again.
 */
export function createDrawAhead(previews: Previews, onFault: (error: unknown) => void): DrawAhead {
  const places = createInFlightLimiter({ perOwner: 1, total: 2 })
  return (document) => {
    if (document === undefined) return
    const end = places.begin(ownerOf(document))
    if (typeof end === "string") return
    previews
      .picture(document, FIRST_PAGE)
      .catch((error: unknown) => error instanceof Refusal || onFault(error))
      .finally(end)
  }
}
