import type { Catalogues } from "../words.ts"

/** The words of the signing pages. */
export const catalogues: Catalogues = {
  en: () => import("./en.po"),
  de: () => import("./de.po"),
  fr: () => import("./fr.po"),
  it: () => import("./it.po"),
}
