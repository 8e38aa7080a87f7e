// What a comparison of two revisions says to whoever asked for it.

import { PdfRefused } from "@paraph/pades/refused"
import type { ComparedTold, Comparison } from "./compare-child.ts"
import type { PageCompared } from "./compare-page.ts"
import type { DifferencePictures } from "./compare-pictures.ts"

export type { Comparison } from "./compare-child.ts"
export type { AllowedArea, PageCompared, PageDifferenceKind } from "./compare-page.ts"

/** One comparison alone. */
export type CompareAsked = Comparison & { readonly maxPictures: number }

/** All signatures of one document together. */
export type CompareAllAsked = {
  readonly comparisons: readonly Comparison[]
  /** For so many pages that are different there are pictures. */
  readonly maxPictures: number
  /** Of the processor, for all of them. */
  readonly processorMs?: number
}

export type ComparedPictures = DifferencePictures & { readonly page: number }

export type Compared = {
  /** False: not all that was asked for was seen, so nobody may say that nothing is different. */
  readonly complete: boolean
  /** "budget": it would have taken too much time or memory; "unreadable": one of the two revisions cannot be drawn at all. */
  readonly lack?: "budget" | "unreadable"
  readonly pagesCompared: number
  /** In the order asked for. */
  readonly pages: readonly PageCompared[]
  readonly pictures: readonly ComparedPictures[]
  /** What each field that was asked for says to whoever looks at it now; null where there is no such page. */
  readonly fieldTexts: readonly (string | null)[]
}

export function comparedFrom({
  value,
  body,
}: {
  readonly value: unknown
  readonly body: Uint8Array
}): readonly Compared[] {
  let at = 0
  const next = (length: number | null): Uint8Array | null => {
    if (length === null) return null
    at += length
    return body.subarray(at - length, at)
  }
  return (value as readonly ComparedTold[]).map(({ unreadable, complete, pages, pictures, fieldTexts }) => ({
    complete,
    ...(!complete && { lack: unreadable ? ("unreadable" as const) : ("budget" as const) }),
    pagesCompared: pages.length,
    pages,
    pictures: pictures.map(({ page, lengths }) => ({
      page,
      before: next(lengths.before),
      after: next(lengths.after),
      difference: next(lengths.difference),
    })),
    fieldTexts,
  }))
}

/** The document's fault is an answer too; what is nobody's fault but ours is thrown on. */
export function notCompared(error: unknown): Compared {
  if (!(error instanceof PdfRefused)) throw error
  const lack = error.code === "too-complex" ? "budget" : "unreadable"
  return { complete: false, lack, pagesCompared: 0, pages: [], pictures: [], fieldTexts: [] }
}
