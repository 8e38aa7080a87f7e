// What experts want: the steps of the validation with the terms of the standard, and what identifies signature and certificate.

import type { Block, Row } from "@paraph/pades/paper-block"
import type { BlockReport, DocumentReport, SignatureReport } from "../report.ts"
import { fill, wordsOf } from "../words/of-language.ts"
import type { Language } from "../words/words.ts"
import { foreignRow, grouped, row } from "./rows.ts"

export function annex({ signatures }: DocumentReport, language: Language): readonly Block[] {
  const { report: words } = wordsOf(language)
  if (signatures.length === 0) return []
  return [
    { type: "page" },
    { type: "heading", level: 2, text: words.annex },
    { type: "paragraph", text: words.annexLead },
    ...signatures.flatMap((signature, i): readonly Block[] => [
      { type: "heading", level: 3, text: fill(words.signature, { n: String(i + 1) }) },
      { type: "rows", rows: [...identification(signature, language), ...steps(signature.blocks, language)] },
    ]),
  ]
}

function identification(signature: SignatureReport, language: Language): readonly Row[] {
  const { report: words, levels } = wordsOf(language)
  const { field, level, digest, certificate } = signature
  const hex = digest && Buffer.from(digest.value, "base64").toString("hex")
  return [
    ...foreignRow(words.field, field),
    ...row(words.level, levels[level]),
    ...row(words.digest, digest && hex ? `${digest.algorithm.toUpperCase()} ${grouped(hex)}` : undefined),
    ...row(words.serialNumber, certificate?.serialNumber),
    ...row(words.certificateFingerprint, certificate && grouped(certificate.fingerprint)),
  ]
}

function steps(blocks: readonly BlockReport[], language: Language): readonly Row[] {
  const { blocks: names } = wordsOf(language)
  return blocks.flatMap(({ block, indication, subIndication, reasons }) => {
    const codes = reasons.map(({ code }) => code)
    const said = [subIndication, ...new Set(codes)].filter((part) => part !== undefined)
    return row(names[block], `${block}: ${indication}${said.length === 0 ? "" : ` (${said.join(", ")})`}`)
  })
}
