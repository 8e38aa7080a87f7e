// The report for people: what was found, in their language, as a PDF that can be kept (PDF/A-2a). It says the verdict first, then
// why, signature by signature; what only experts want stands at its end. It is not signed here: whoever has a key seals it.

import { writePaper } from "@paraph/pades/paper"
import type { Block } from "@paraph/pades/paper-block"
import type { DocumentReport } from "../report.ts"
import { fill, wordsOf } from "../words/of-language.ts"
import { sayTime } from "../words/say.ts"
import type { Language } from "../words/words.ts"
import { annex } from "./annex.ts"
import { type AboutReport, documentPart, MAX_SIGNATURES } from "./document-part.ts"
import { type DifferencePictures, picturesPart } from "./pictures-part.ts"
import { signaturePart } from "./signature-part.ts"

export type PdfReportOrder = AboutReport & {
  readonly report: DocumentReport
  readonly pictures?: readonly DifferencePictures[]
  readonly language: Language
}

export function writePdfReport({ report, pictures = [], language, ...about }: PdfReportOrder): Uint8Array {
  const words = wordsOf(language)
  const time = sayTime(report.validatedAt, language)
  const signatures = report.signatures.slice(0, MAX_SIGNATURES)
  const blocks: readonly Block[] = [
    ...documentPart(report, language, about),
    ...signatures.flatMap((signature, i) => signaturePart(signature, i + 1, language)),
    ...leftOver(report.signatures.length - signatures.length, words.report.moreChanges),
    ...picturesPart(report, pictures, language),
    ...annex({ ...report, signatures }, language),
  ]
  return writePaper({
    title: words.report.title,
    language,
    madeAt: new Date(report.validatedAt),
    producer: "Paraph",
    blocks,
    footer: (page, pages) => [
      fill(words.report.footer, { time }),
      fill(words.report.pageOf, { page: String(page), pages: String(pages) }),
    ],
  })
}

function leftOver(count: number, words: string): readonly Block[] {
  return count > 0 ? [{ type: "paragraph", text: fill(words, { count: String(count) }) }] : []
}
