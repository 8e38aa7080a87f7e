// The process that draws the pages of the revisions of one PDF and compares them. Each page of each revision is drawn once,
// however many signatures there are: all are compared with the same last revision.

import { answerOnce, type Done } from "./answer.ts"
import type { AllowedArea, PageCompared } from "./compare-page.ts"
import type { DifferencePictures } from "./compare-pictures.ts"
import { comparePages } from "./compare-revisions.ts"
import { type FieldPlace, textsOfFields } from "./field-text.ts"
import { startPdfium } from "./pdfium.ts"
import { quieten } from "./quieten.ts"

/** What one signature asks for. */
export type Comparison = {
  /** How long the file was when the revision ended that was signed. */
  readonly before: number
  /** Counted from 0. What may look different on them, and where. */
  readonly pages: "all" | readonly { readonly page: number; readonly allowed: readonly AllowedArea[] }[]
  /** Fields whose text is wanted, as they are now; their values are the caller's to know. */
  readonly fields?: readonly FieldPlace[]
}

export type CompareAllAsked = {
  readonly comparisons: readonly Comparison[]
  /** For so many pages that are different there are pictures. */
  readonly maxPictures: number
  /** Of the processor; what was not looked at by then is told. */
  readonly budgetMs: number
}

/** One for each that was asked for. The body is all pictures, one after the other; each is told by its length, or null where there is none. */
export type ComparedTold = {
  readonly complete: boolean
  /** What was signed cannot be drawn at all. */
  readonly unreadable: boolean
  readonly pages: readonly PageCompared[]
  readonly pictures: readonly {
    readonly page: number
    readonly lengths: Readonly<Record<keyof DifferencePictures, number | null>>
  }[]
  readonly fieldTexts: readonly (string | null)[]
}

quieten()
const pdfium = await startPdfium()

answerOnce<CompareAllAsked>(async ({ comparisons, maxPictures, budgetMs }, source): Promise<Done> => {
  const isOver = budgetOf(budgetMs)
  const looked = await comparePages(pdfium, source, { comparisons, maxPictures, isOver })
  const told = looked.map(({ pictures, ...seen }, i): ComparedTold => {
    const { fields = [] } = comparisons[i] ?? {}
    // Drawn into the page, which changes it: so in a document of its own.
    const fieldTexts =
      fields.length === 0 ? [] : textsOfFields(pdfium.module, pdfium.open(source), fields, isOver)
    const lengths = pictures.map(({ page, ...three }) => ({ page, lengths: lengthsOf(three) }))
    return {
      ...seen,
      complete: seen.complete && fieldTexts !== undefined,
      pictures: lengths,
      fieldTexts: fieldTexts ?? [],
    }
  })
  const body = Buffer.concat(looked.flatMap(({ pictures }) => pictures.flatMap(inOrder)))
  return { value: told, body }
})

/** The processor's time, and not that of the wall: how busy the machine is, is no property of the document. */
function budgetOf(ms: number): (share?: number) => boolean {
  const start = process.cpuUsage()
  return (share = 1) => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000 > share * ms
  }
}

const inOrder = ({ before, after, difference }: DifferencePictures): Uint8Array[] =>
  [before, after, difference].filter((one) => one !== null)

const lengthsOf = ({ before, after, difference }: DifferencePictures) => ({
  before: before?.length ?? null,
  after: after?.length ?? null,
  difference: difference?.length ?? null,
})
