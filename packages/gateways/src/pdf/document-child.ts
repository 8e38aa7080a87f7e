// The process that reads one PDF: describes it, prepares a signature on it, or a text across its pages, or raises signatures.

import { refuseBombs } from "@paraph/pades/decoded-size"
import { describePdf } from "@paraph/pades/describe"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import type { Source } from "@paraph/pades/source"
import { type WatermarkOptions, watermark } from "@paraph/pades/watermark"
import { answerOnce, type Done } from "./answer.ts"
import { PdfAskedWrongly } from "./failed.ts"
import { type RaiseAsked, raiseHeld } from "./raise-held.ts"

export type UploadLimits = { readonly maxPages: number }

export type DocumentAsked =
  /** `upload`: a stranger made the bytes, so a decompression bomb or too many pages are refused before anything else. */
  | { readonly type: "describe"; readonly upload?: UploadLimits }
  | { readonly type: "prepare"; readonly options: PrepareOptions }
  | { readonly type: "watermark"; readonly options: WatermarkOptions }
  | ({ readonly type: "raise" } & RaiseAsked)

answerOnce<DocumentAsked>(async (asked, document, outside) => {
  if (asked.type === "describe") {
    if (asked.upload !== undefined) await refuseBombs(document)
    return { value: describePdf(document, asked.upload) }
  }
  if (asked.type === "raise") return raiseHeld(asked, document, outside)
  return blaming(() => write(asked, document))
})

function write(asked: Extract<DocumentAsked, { type: "prepare" | "watermark" }>, document: Source): Done {
  if (asked.type === "prepare") return { value: prepare(document, asked.options) }
  return { value: null, body: watermark(document, asked.options) }
}

/**
 * A RangeError is either ours, about what was asked for, or V8's, about more than it can hold; a TypeError is ours, such as
 * about a field that is signed already, or a fault. Ours are sentences, with a full stop.
 */
function blaming(work: () => Done): Done {
  try {
    return work()
  } catch (error) {
    if ((error instanceof RangeError || error instanceof TypeError) && error.message.endsWith("."))
      throw new PdfAskedWrongly(error.message)
    throw error
  }
}
