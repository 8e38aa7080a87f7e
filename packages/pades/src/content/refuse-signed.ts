import { PdfRefused } from "../refused.ts"
import { type Pdf, resolve } from "../structure/document.ts"
import { entry, isDict } from "../syntax/value.ts"
import { readForm } from "./form.ts"

/** A signature covers the pages, so a signed document gets no new page content. */
export function refuseSigned(pdf: Pdf, message: string): void {
  const fields = readForm(pdf).signatureFields.some(({ signature }) => signature !== undefined)
  // 12.8.6: a certification, or the rights that a maker of readers grants, is a signature too, even without a field.
  const permissions = resolve(pdf, entry(pdf.catalog, "Perms"))
  const granted =
    isDict(permissions) && [...permissions.entries.values()].some(({ value }) => isDict(resolve(pdf, value)))
  if (fields || granted) throw new PdfRefused("locked", message)
}
