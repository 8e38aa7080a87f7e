// The interactive form (ISO 32000-2, 12.7.3) gets one more field. What was an object of its own before stays one.

import type { Form } from "../../content/form.ts"
import { resolve } from "../../structure/document.ts"
import { entry, type PdfDict } from "../../syntax/value.ts"
import { amend, append, catalogOf, create, type Edits, ofCatalog } from "../../write/edits.ts"

// Table 225: SignaturesExist and AppendOnly.
const SIGNATURES_EXIST_APPEND_ONLY = 3

export function addFields(edits: Edits, { dict }: Form, fields: readonly string[]): void {
  if (dict === undefined) {
    const form = create(
      edits,
      `<< /Fields [${fields.join(" ")}] /SigFlags ${SIGNATURES_EXIST_APPEND_ONLY} >>`,
    )
    amend(edits, catalogOf(edits), { AcroForm: form })
    return
  }
  append(edits, ofCatalog(edits, "AcroForm", dict), "Fields", ...fields)
  setSignatureFlags(edits, dict)
}

export function setSignatureFlags(edits: Edits, form: PdfDict): void {
  const flags = resolve(edits.pdf, entry(form, "SigFlags"))
  const known = typeof flags === "number" ? flags : 0
  if ((known & SIGNATURES_EXIST_APPEND_ONLY) === SIGNATURES_EXIST_APPEND_ONLY) return
  const changes = { SigFlags: String(known | SIGNATURES_EXIST_APPEND_ONLY) }
  amend(edits, ofCatalog(edits, "AcroForm", form), changes)
}
