// The first page: what it is about, the verdict, and which file was judged.

import type { Block } from "@paraph/pades/paper-block"
import { shownText } from "@paraph/pki/shown-text"
import type { DocumentReport, SignatureReport } from "../report.ts"
import { fill, wordsOf } from "../words/of-language.ts"
import { LOCALES, sayIndication, saySubIndication, sayTime } from "../words/say.ts"
import type { Language } from "../words/words.ts"
import { foreignRow, grouped, row, shortened } from "./rows.ts"
import { SIGN_OF } from "./sign-of.ts"

/** More would be a book; the report for other programs has them all. */
export const MAX_SIGNATURES = 200

/** What the service says of the report itself. */
export type AboutReport = {
  /** By which the service knows this report. */
  readonly id?: string
  /** Who is about to seal it. */
  readonly sealer?: string
  /** It was asked for with a demo key, which trusts what other demo keys have made. */
  readonly isDemo?: boolean
}

export function documentPart(
  report: DocumentReport,
  language: Language,
  { id, sealer, isDemo = false }: AboutReport = {},
): readonly Block[] {
  const { report: words } = wordsOf(language)
  const { signatures, format, document, policy, validatedAt } = report
  const valid = signatures.filter(({ indication }) => indication === "TOTAL-PASSED").length
  const counted = fill(words.validOf, { valid: String(valid), all: String(signatures.length) })
  return [
    { type: "heading", level: 1, text: words.title },
    { type: "paragraph", text: words.subtitle, look: "grey" },
    // Before the verdict, so that nobody reads the one without the other.
    ...(isDemo ? [{ type: "paragraph", text: words.demo } as const] : []),
    verdict(report, language),
    {
      type: "rows",
      rows: [
        ...foreignRow(words.fileName, document?.name),
        ...row(words.fingerprint, document?.sha256 && grouped(document.sha256)),
        ...row(words.size, document?.size === undefined ? undefined : sizeIn(document.size, language)),
        ...foreignRow(words.format, format.quality ?? format.fileType),
        ...foreignRow(words.producer, format.producer),
        ...row(words.signatures, signatures.length === 0 ? undefined : counted),
        ...row(words.validatedAt, sayTime(validatedAt, language)),
        ...row(words.policy, policy.name),
        ...row(words.number, id),
        ...foreignRow(words.sealedBy, sealer),
      ],
    },
    ...(sealer === undefined ? [] : [{ type: "paragraph", text: words.sealed, look: "grey" } as const]),
    ...overview(signatures, language),
  ]
}

// Whoever looks for a name does not want to turn twenty pages.
function overview(signatures: readonly SignatureReport[], language: Language): readonly Block[] {
  const { report: words, indications } = wordsOf(language)
  if (signatures.length < 2) return []
  const rows = signatures.slice(0, MAX_SIGNATURES).map(({ signer, indication }, i) => {
    const who = signer === undefined ? words.unknownSigner : shortened(shownText(signer), 80)
    const label = fill(words.signature, { n: String(i + 1) })
    return { label, text: `${indications[indication].heading} – ${who}` }
  })
  return [
    { type: "heading", level: 3, text: words.signatures },
    { type: "rows", rows },
  ]
}

function verdict({ indication, subIndication, signatures }: DocumentReport, language: Language): Block {
  const { documents } = wordsOf(language)
  const text = signatures.length === 0 ? documents.unsigned : documents[indication]
  const because = subIndication === undefined ? "" : ` ${saySubIndication(subIndication, language)}`
  return {
    type: "verdict",
    sign: SIGN_OF[indication],
    heading: sayIndication(indication, language),
    text: signatures.length === 0 ? text : `${text}${because}`,
  }
}

function sizeIn(bytes: number, language: Language): string {
  const count = new Intl.NumberFormat(LOCALES[language]).format(bytes)
  return fill(wordsOf(language).report.bytes, { count })
}
