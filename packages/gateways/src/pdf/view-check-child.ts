// The process that renders a whole PDF for screen and for print and compares both, or flattens it so that both are equal.

import { answerOnce } from "./answer.ts"
import type { FlattenQuery } from "./flatten-view.ts"
import { startPdfium } from "./pdfium.ts"
import { quieten } from "./quieten.ts"
import { checkView, type ViewCheckOptions } from "./view-check.ts"

export type ViewCheckQuery = { readonly type: "check-view" } & ViewCheckOptions

quieten()
const pdfium = await startPdfium()

answerOnce<ViewCheckQuery | FlattenQuery>(async (query, source) => {
  if (query.type !== "flatten") return { value: checkView(pdfium, source, query) }
  // Few uploads are flattened, and what flattens is most of what this process would read at its start.
  const { flattenView } = await import("./flatten-view.ts")
  return flattenView(pdfium, source, query)
})
