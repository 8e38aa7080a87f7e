import { i18n, type Messages } from "@lingui/core"
import { useSyncExternalStore } from "react"

/** Every word that the pages say stands in locales/*.po, under an id; nothing is said in the sources themselves. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" } as const
export type Language = keyof typeof LANGUAGES

/** How to fetch the words of each language; only one of them is loaded. */
export type Catalogues = Record<Language, () => Promise<{ readonly messages: Messages }>>

/** Dates and numbers are those of Switzerland, where a language has a form of its own there. */
const REGIONS: Record<Language, string> = { en: "en-GB", de: "de-CH", fr: "fr-CH", it: "it-CH" }

/** Loads the words of a language and says everything in it from then on. */
export async function speak(language: Language, catalogues: Catalogues): Promise<void> {
  const { messages } = await catalogues[language]()
  i18n.loadAndActivate({ locale: language, locales: [REGIONS[language]], messages })
  document.documentElement.lang = language
}

export function say(id: string, values?: Readonly<Record<string, string | number>>): string {
  return i18n._(id, values)
}

/** The language that is spoken; whoever calls this is drawn again when it changes. */
export function useLanguage(): Language | null {
  return useSyncExternalStore(
    (changed) => i18n.on("change", changed),
    () => (isLanguage(i18n.locale) ? i18n.locale : null),
  )
}

/** What the browser prefers; a guess, until the server says what the address and the invitation ask for. */
export function browserLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return wanted.find(isLanguage) ?? "en"
}

export function isLanguage(tag: unknown): tag is Language {
  return typeof tag === "string" && Object.hasOwn(LANGUAGES, tag)
}

/** A title or a name in the midst of a sentence keeps its own direction (Unicode, annex 9, isolates). */
export const isolated = (text: string): string => `\u2068${text}\u2069`

export function sayNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(region(), options).format(value)
}

/** A date as the interface gives it, YYYY-MM-DD, which has no time zone to be moved by. */
export function sayDate(date: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "long", timeZone: "UTC" }).format(new Date(date))
}

/** A moment in ISO 8601, in the signer's own time zone. */
export function sayMoment(moment: string): string {
  return new Intl.DateTimeFormat(region(), { dateStyle: "full", timeStyle: "short" }).format(new Date(moment))
}

/** Decisions, "MB": 10⁶ bytes everywhere. */
export function saySize(bytes: number): string {
  const large = bytes >= 1_000_000
  return sayNumber(large ? bytes / 1_000_000 : Math.max(1, bytes / 1_000), {
    style: "unit",
    unit: large ? "megabyte" : "kilobyte",
    maximumFractionDigits: large ? 1 : 0,
  })
}

const region = (): string => REGIONS[isLanguage(i18n.locale) ? i18n.locale : "en"]
