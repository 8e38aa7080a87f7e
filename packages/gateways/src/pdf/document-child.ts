// The process that reads one PDF: describes it, prepares a signature on it, or a text across its pages.

import { describePdf } from "@paraph/pades/describe"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import type { Source } from "@paraph/pades/source"
import { type WatermarkOptions, watermark } from "@paraph/pades/watermark"
import { answerOnce, type Done } from "./answer.ts"
import { PdfAskedWrongly } from "./failed.ts"

export type DocumentAsked =
  | { readonly type: "describe" }
  | { readonly type: "prepare"; readonly options: PrepareOptions }
  | { readonly type: "watermark"; readonly options: WatermarkOptions }

answerOnce<DocumentAsked>((asked, document) => {
  if (asked.type === "describe") return { value: describePdf(document) }
  return blaming(() => write(asked, document))
})

function write(asked: Exclude<DocumentAsked, { type: "describe" }>, document: Source): Done {
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
