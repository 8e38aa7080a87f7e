import type { Language } from "../language.ts"

/** What the signer agrees to. A text is never changed, only followed by a newer version (decisions, "consent"). */
export type ConsentText = { readonly version: string; readonly language: Language; readonly text: string }

/** By whose key signs: what is agreed to differs. */
type Holder = "service" | "signer" | "provider"
type Texts = Readonly<Record<Language, Omit<ConsentText, "language">>>

/** The newest in each language. The version names the language too, so that it says which text was read. */
const CURRENT: Readonly<Record<Holder, Texts>> = {
  service: {
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
  },
  signer: {
    en: {
      version: "aes-2026-11",
      text:
        "By pressing “Sign” and confirming that it is me, I sign this document electronically with a key that is made for me alone and destroyed afterwards. " +
        "A certificate with my name goes into the document. My name, my e-mail address, the time, how I confirmed and the document’s fingerprint are kept as evidence.",
    },
    de: {
      version: "aes-2026-11-de",
      text:
        "Mit «Unterschreiben» und der Bestätigung, dass ich es bin, unterschreibe ich dieses Dokument elektronisch mit einem Schlüssel, der nur für mich erzeugt und danach vernichtet wird. " +
        "Ein Zertifikat mit meinem Namen wird Teil des Dokuments. Mein Name, meine E-Mail-Adresse, der Zeitpunkt, die Art der Bestätigung und der Fingerabdruck des Dokuments werden als Nachweis aufbewahrt.",
    },
    fr: {
      version: "aes-2026-11-fr",
      text:
        "En appuyant sur « Signer » et en confirmant qu’il s’agit bien de moi, je signe ce document par voie électronique avec une clé créée pour moi seul(e), puis détruite. " +
        "Un certificat à mon nom est ajouté au document. Mon nom, mon adresse e-mail, l’heure, le mode de confirmation et l’empreinte du document sont conservés comme preuve.",
    },
    it: {
      version: "aes-2026-11-it",
      text:
        "Premendo « Firma » e confermando la mia identità firmo questo documento elettronicamente con una chiave creata solo per me e poi distrutta. " +
        "Un certificato con il mio nome entra nel documento. Il mio nome, il mio indirizzo e-mail, l’ora, il modo della conferma e l’impronta del documento sono conservati come prova.",
    },
  },
  provider: {
    en: {
      version: "qes-2026-11",
      text:
        "By pressing “Sign” and confirming at the provider of my certificate, I sign this document electronically with my qualified certificate. " +
        "The provider gets the document’s title and fingerprint, and not the document. My name as the certificate has it goes into the document; it, my e-mail address, the time and the fingerprint are kept as evidence.",
    },
    de: {
      version: "qes-2026-11-de",
      text:
        "Mit «Unterschreiben» und der Bestätigung beim Anbieter meines Zertifikats unterschreibe ich dieses Dokument elektronisch mit meinem qualifizierten Zertifikat. " +
        "Der Anbieter erhält den Titel und den Fingerabdruck des Dokuments und nicht das Dokument. Mein Name, wie er im Zertifikat steht, wird Teil des Dokuments; er, meine E-Mail-Adresse, der Zeitpunkt und der Fingerabdruck werden als Nachweis aufbewahrt.",
    },
    fr: {
      version: "qes-2026-11-fr",
      text:
        "En appuyant sur « Signer » et en confirmant auprès du prestataire de mon certificat, je signe ce document par voie électronique avec mon certificat qualifié. " +
        "Le prestataire reçoit le titre et l’empreinte du document et non le document. Mon nom, tel qu’il figure dans le certificat, est ajouté au document ; ce nom, mon adresse e-mail, l’heure et l’empreinte sont conservés comme preuve.",
    },
    it: {
      version: "qes-2026-11-it",
      text:
        "Premendo « Firma » e confermando presso il prestatore del mio certificato firmo questo documento elettronicamente con il mio certificato qualificato. " +
        "Il prestatore riceve il titolo e l’impronta del documento e non il documento. Il mio nome, come figura nel certificato, entra nel documento; questo nome, il mio indirizzo e-mail, l’ora e l’impronta sono conservati come prova.",
    },
  },
}

export function currentConsent(language: Language = "en", holder: Holder = "service"): ConsentText {
  return { ...CURRENT[holder][language], language }
}

/** The text of that version, as long as it is one of today's for such a key; null for every other. */
export function consentOf(holder: Holder, version: string): ConsentText | null {
  const known = Object.entries(CURRENT[holder]).find(([, text]) => text.version === version)
  return known === undefined ? null : currentConsent(known[0] as Language, holder)
}
