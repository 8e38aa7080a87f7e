// The process that renders a whole PDF for screen and for print and compares both, or flattens it so that both are equal.

import { answerOnce } from "./answer.ts"
import { type FlattenQuery, flattenView } from "./flatten-view.ts"
import { startPdfium } from "./pdfium.ts"
import { quieten } from "./quieten.ts"
import { checkView, type ViewCheckOptions } from "./view-check.ts"

export type ViewCheckQuery = { readonly type: "check-view" } & ViewCheckOptions

quieten()
const pdfium = await startPdfium()

answerOnce<ViewCheckQuery | FlattenQuery>((query, source) =>
  query.type === "flatten" ? flattenView(pdfium, source, query) : { value: checkView(pdfium, source, query) },
)
