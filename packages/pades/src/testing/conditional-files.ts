// Small PDFs with one construct each, for tests of what depends on a condition.

import { writeSample } from "../sample.ts"
import { PAGES, streamOf, withCatalog } from "./hostile.ts"

export const withPage = (entries: string, ...more: readonly (string | Uint8Array)[]) =>
  writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    PAGES,
    `<< /Type /Page /Parent 2 0 R ${entries} >>`,
    ...more,
  ])
export const FORM = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream"
export const annotation = (entries: string, ...more: string[]) =>
  withPage(`/Annots [<< /Type /Annot /Rect [0 0 9 9] ${entries} >>]`, ...more)
export const layers = (config: string, ...groups: readonly string[]) =>
  withCatalog(
    `/OCProperties << /OCGs [${groups.map((_, i) => `${i + 4} 0 R`).join(" ")}] /D << ${config} >> >>`,
    ...groups,
  )
export const NOT_PRINTED = "<< /Type /OCG /Name (a) /Usage << /Print << /PrintState /OFF >> >> >>"
export const field = (entries: string, form = "", ...more: string[]) =>
  writeSample([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] ${form} >> >>`,
    PAGES,
    "<< /Type /Page /Parent 2 0 R /Annots [4 0 R] >>",
    `<< /Type /Annot /Subtype /Widget /T (price) /Rect [0 0 9 9] /F 4 ${entries} >>`,
    ...more,
  ])
export const attachment = (name: string, data: string | Uint8Array = "data", keys = "") =>
  withCatalog(
    `/Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >>`,
    `<< /Type /Filespec /F (${name}) /EF << /F 5 0 R >> >>`,
    streamOf(keys, typeof data === "string" ? Buffer.from(data, "latin1") : data),
  )
