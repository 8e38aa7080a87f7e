// The process that reads one PDF: describes it, or prepares a signature on it.

import { describePdf } from "@paraph/pades/describe"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import { answerOnce } from "./answer.ts"

export type DocumentAsked =
  | { readonly type: "describe" }
  | { readonly type: "prepare"; readonly options: PrepareOptions }

answerOnce<DocumentAsked>((asked, bytes) => ({
  value: asked.type === "describe" ? describePdf(bytes) : prepare(bytes, asked.options),
}))
