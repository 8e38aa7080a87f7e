import { i18n } from "@lingui/core"

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" } as const
export type Language = keyof typeof LANGUAGES

const KEPT = "paraph.language"

const LOAD: Readonly<Record<Language, () => Promise<{ messages: Parameters<typeof i18n.load>[1] }>>> = {
  en: () => import("./locales/en.po"),
  de: () => import("./locales/de.po"),
  fr: () => import("./locales/fr.po"),
  it: () => import("./locales/it.po"),
}

/** What the address asks for, what was chosen before, what the browser is set to, English. */
export function wantedLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang")
  const wanted = [asked, localStorage.getItem(KEPT), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return wanted.find(isLanguage) ?? "en"
}

export async function speak(language: Language): Promise<void> {
  const { messages } = await LOAD[language]()
  i18n.loadAndActivate({ locale: language, messages })
  document.documentElement.lang = language
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT, language)
  await speak(language)
}

const isLanguage = (tag: string | null): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag)
