// Says a reason, a time or an indication in a language. Values come from certificates and from the file: whatever in them could
// deceive is replaced before it stands in a sentence of ours.

import { shownText } from "@paraph/pki/shown-text"
import type { Indication, SubIndication } from "../indication.ts"
import { isReasonCode } from "../reason-codes.ts"
import type { SignatureReport } from "../report.ts"
import { fill, wordsOf } from "./of-language.ts"
import type { Language, ValueWords } from "./words.ts"

export type Said = { readonly code: string; readonly values?: Readonly<Record<string, string>> }

/** One sentence; of a code that this version does not know, the code. */
export function sayReason({ code, values = {} }: Said, language: Language): string {
  if (!isReasonCode(code)) return shownText(code)
  const { reasons, values: words } = wordsOf(language)
  const said = Object.entries(values).map(([name, value]) => [
    name,
    sayValue(name, shownText(value), words, language),
  ])
  const named = { certificate: words.nameless, issuer: words.nameless, until: words.weakAlways }
  return fill(reasons[code], { ...named, ...Object.fromEntries(said) })
}

function sayValue(name: string, value: string, words: ValueWords, language: Language): string {
  switch (name) {
    case "field":
      return quoted(value, language)
    case "certificate":
    case "issuer":
      return value === "" ? words.nameless : quoted(value, language)
    case "since":
    case "thisUpdate":
    case "time":
      return sayTime(value, language)
    case "notBefore":
    case "notAfter":
      return sayDay(value, language)
    case "until":
      return value === NEVER ? words.weakAlways : fill(words.weakSince, { day: sayDay(value, language) })
    case "algorithm":
      return value === "unknown" ? words.unknownAlgorithm : value
    case "law":
      return oneOf(words.laws, value)
    case "when":
      return oneOf(words.whens, value)
    case "reason":
      return oneOf(words.revocations, value)
    default:
      return value
  }
}

// An algorithm that was never accepted ended at the beginning of time.
const NEVER = "1970-01-01"

function oneOf(words: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value
}

/** A name that somebody else chose, so that it is seen where it begins and ends. */
export function quoted(text: string, language: Language): string {
  const [open, close] = QUOTES[language]
  return `${open}${text}${close}`
}

const QUOTES: Readonly<Record<Language, readonly [string, string]>> = {
  en: ["“", "”"],
  de: ["«", "»"],
  fr: ["«\u00a0", "\u00a0»"],
  it: ["«", "»"],
}

/** The day before the month, as Switzerland and Europe write it, in English too. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  de: "de-CH",
  fr: "fr-CH",
  it: "it-CH",
}
const DAYS = formats({ dateStyle: "long" })
const TIMES = formats({ timeStyle: "medium" })

// Made once: each takes longer than all dates of a report.
function formats(style: Intl.DateTimeFormatOptions): Readonly<Record<Language, Intl.DateTimeFormat>> {
  const of = (locale: string) => new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" })
  return { en: of(LOCALES.en), de: of(LOCALES.de), fr: of(LOCALES.fr), it: of(LOCALES.it) }
}

/** A moment as people write it, to the second, with its zone; what is no moment stays as it is. */
export function sayTime(iso: string, language: Language): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  return `${dayOf(at, language)}, ${TIMES[language].format(at)} UTC`
}

/** A date such as 2026-11-30; the first of a month is an ordinal in French and Italian. */
export function sayDay(date: string, language: Language): string {
  const at = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return date
  return dayOf(at, language)
}

function dayOf(at: Date, language: Language): string {
  const written = DAYS[language].format(at)
  if (language === "fr") return written.replace(/^1 /u, "1er ")
  return language === "it" ? written.replace(/^1 /u, "1º ") : written
}

/** "Not valid (TOTAL-FAILED)". */
export function sayIndication(indication: Indication, language: Language): string {
  return `${wordsOf(language).indications[indication].heading} (${indication})`
}

/** What the verdict means. A valid signature says nothing of values that were filled in after it. */
export function sayVerdict(
  { indication, changes }: Pick<SignatureReport, "indication" | "changes">,
  language: Language,
): string {
  const { indications, validButFilled, changedAfterwards } = wordsOf(language)
  const isFilled = changes.some(({ kind }) => kind === "form-fill")
  if (indication === "TOTAL-PASSED" && isFilled) return validButFilled
  return indication === "INDETERMINATE" && isChanged({ changes })
    ? changedAfterwards
    : indications[indication].sentence
}

/** A value or the look of a page is not as it was signed. */
export const isChanged = ({ changes }: Pick<SignatureReport, "changes">): boolean =>
  changes.some(
    ({ kind, fill: status }) => kind === "visual" || status === "replaced" || status === "unsigned",
  )

/** One sentence, with the standard's term in brackets. */
export function saySubIndication(subIndication: SubIndication, language: Language): string {
  return `${wordsOf(language).subIndications[subIndication]} (${subIndication})`
}
