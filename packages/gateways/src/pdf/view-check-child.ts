// The process that renders a whole PDF for screen and for print and compares both.

import { answerOnce } from "./answer.ts"
import { startPdfium } from "./pdfium.ts"
import { quieten } from "./quieten.ts"
import { checkView, type ViewCheckOptions } from "./view-check.ts"

export type ViewCheckQuery = { readonly type: "check-view" } & ViewCheckOptions

quieten()
const pdfium = await startPdfium()

answerOnce<ViewCheckQuery>((query, source) => ({ value: checkView(pdfium, source, query) }))
