import type { Language } from "../language.ts"

/** What the signer agrees to. A text is never changed, only followed by a newer version (decisions, "consent"). */
export type ConsentText = { readonly version: string; readonly language: Language; readonly text: string }

/** The newest in each language. The version names the language too, so that it says which text was read. */
const CURRENT: Readonly<Record<Language, Omit<ConsentText, "language">>> = {
  en: {
    version: "ses-2026-11",
    text:
      "By pressing “Sign” I sign this document electronically. " +
      "My name, my e-mail address, the time and the document’s fingerprint are kept as evidence.",
  },
  de: {
    version: "ses-2026-11-de",
    text:
      "Mit «Unterschreiben» unterschreibe ich dieses Dokument elektronisch. " +
      "Mein Name, meine E-Mail-Adresse, der Zeitpunkt und der Fingerabdruck des Dokuments werden als Nachweis aufbewahrt.",
  },
  fr: {
    version: "ses-2026-11-fr",
    text:
      "En appuyant sur « Signer », je signe ce document par voie électronique. " +
      "Mon nom, mon adresse e-mail, l’heure et l’empreinte du document sont conservés comme preuve.",
  },
  it: {
    version: "ses-2026-11-it",
    text:
      "Premendo « Firma » firmo questo documento elettronicamente. " +
      "Il mio nome, il mio indirizzo e-mail, l’ora e l’impronta del documento sono conservati come prova.",
  },
}

export function currentConsent(language: Language = "en"): ConsentText {
  return { ...CURRENT[language], language }
}

/** The text of that version, as long as it is one of today's; null for every other. */
export function consentOf(version: string): ConsentText | null {
  const known = Object.entries(CURRENT).find(([, text]) => text.version === version)
  return known === undefined ? null : currentConsent(known[0] as Language)
}
