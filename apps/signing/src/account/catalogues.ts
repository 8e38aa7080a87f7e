import type { Catalogues } from "../words.ts"

/** The words of the pages about a person's own account. */
export const catalogues: Catalogues = {
  en: () => import("./locales/en.po"),
  de: () => import("./locales/de.po"),
  fr: () => import("./locales/fr.po"),
  it: () => import("./locales/it.po"),
}
