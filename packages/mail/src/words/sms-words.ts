import type { Language } from "@paraph/core/language"

export type SmsWords = {
  /** The code shows that the telephone is this person's; or it lets a signature be made. */
  readonly mailbox: (code: string, sender: string) => string
  readonly release: (code: string, sender: string) => string
  readonly nobody: string
  /** In place of a name that cannot be written in a text message. */
  readonly sender: string
}

/** Every word of the text messages. In letters of GSM alone: no ç, no ê, and a straight apostrophe. */
export const SMS_WORDS: Readonly<Record<Language, SmsWords>> = {
  en: {
    mailbox: (code, sender) => `${code} is your signing code for ${sender}.`,
    release: (code, sender) => `${code} confirms your signature for ${sender}.`,
    nobody: "Type it on the signing page only. Nobody ever asks you for it.",
    sender: "the sender",
  },
  de: {
    mailbox: (code, sender) => `${code} ist Ihr Signaturcode für ${sender}.`,
    release: (code, sender) => `${code} bestätigt Ihre Unterschrift für ${sender}.`,
    nobody: "Geben Sie ihn nur auf der Signaturseite ein. Niemand fragt Sie danach.",
    sender: "den Absender",
  },
  fr: {
    mailbox: (code, sender) => `${code} est votre code de signature pour ${sender}.`,
    release: (code, sender) => `${code} confirme votre signature pour ${sender}.`,
    nobody: "Saisissez-le uniquement sur la page de signature. Personne ne vous le demandera.",
    sender: "l'expéditeur",
  },
  it: {
    mailbox: (code, sender) => `${code} è il Suo codice di firma per ${sender}.`,
    release: (code, sender) => `${code} conferma la Sua firma per ${sender}.`,
    nobody: "Lo inserisca solo nella pagina di firma. Nessuno glielo chiederà.",
    sender: "il mittente",
  },
}
