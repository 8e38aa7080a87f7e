import type { Language } from "@paraph/core/language"

/** The day before the month, as Switzerland and Europe write it, in English too. */
const LOCALES = { en: "en-GB", de: "de-CH", fr: "fr-CH", it: "it-CH" } as const satisfies Record<
  Language,
  string
>

/** A date such as 2026-11-30 as people write it; the first of a month is an ordinal in French and Italian. */
export function inWords(date: string, language: Language): string {
  const written = formatOf(language).format(new Date(`${date}T00:00:00Z`))
  if (language === "fr") return written.replace(/^1 /u, "1er ")
  return language === "it" ? written.replace(/^1 /u, "1º ") : written
}

/** One takes longer to make than the rest of a mail. */
const formats = new Map<Language, Intl.DateTimeFormat>()

function formatOf(language: Language): Intl.DateTimeFormat {
  const known = formats.get(language)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone: "UTC" })
  formats.set(language, format)
  return format
}

/** A moment, as the clocks of the region show it. */
export const timeInWords = (at: string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  }).format(new Date(at))
