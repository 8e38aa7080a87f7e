import { i18n } from "@lingui/core"

/** When something happened, as the clock of whoever reads it shows. */
export const sayTime = (iso: string): string => i18n.date(iso, { dateStyle: "medium", timeStyle: "short" })
