import type { Language } from "../language.ts"

/** What the signer agrees to. A text is never changed, only followed by a newer version (decisions, "consent"). */
export type ConsentText = { readonly version: string; readonly language: Language; readonly text: string }

const TEXTS: readonly ConsentText[] = [
  {
    version: "ses-2026-11",
    language: "en",
    text:
      "By pressing “Sign” I sign this document electronically. " +
      "My name, my e-mail address, the time and the document’s fingerprint are kept as evidence.",
  },
]

export function currentConsent(): ConsentText {
  const text = TEXTS.at(-1)
  if (text === undefined) throw new Error("There is no consent text.")
  return text
}
