import type { Language } from "@paraph/core/language"

export type MembershipWords = {
  readonly subject: (business: string) => string
  /** `who` is the address of the colleague. */
  readonly added: (who: string, business: string) => string
  readonly signIn: string
  readonly register: string
  readonly openConsole: string
  readonly openRegister: string
  readonly ignore: (business: string) => string
}

/** Every word of the mail to somebody who was made a member of a business. */
export const MEMBERSHIP_WORDS: Readonly<Record<Language, MembershipWords>> = {
  en: {
    subject: (business) => `${business} has added you on Paraph`,
    added: (who, business) =>
      `${who} has added you to ${business}. You can now send documents for signature together with your colleagues and follow them.`,
    signIn: "Sign in with your account, as you always do.",
    register: "Create an account with this e-mail address. It takes a minute.",
    openConsole: "Open Paraph",
    openRegister: "Create my account",
    ignore: (business) =>
      `If you have nothing to do with ${business}, you need do nothing. You can also leave it again after signing in.`,
  },
  de: {
    subject: (business) => `${business} hat Sie bei Paraph aufgenommen`,
    added: (who, business) =>
      `${who} hat Sie bei ${business} aufgenommen. Sie können jetzt zusammen mit Ihren Kolleginnen und Kollegen Dokumente zur Unterschrift schicken und verfolgen.`,
    signIn: "Melden Sie sich wie gewohnt mit Ihrem Konto an.",
    register: "Eröffnen Sie ein Konto mit dieser E-Mail-Adresse. Das dauert eine Minute.",
    openConsole: "Paraph öffnen",
    openRegister: "Konto eröffnen",
    ignore: (business) =>
      `Wenn Sie mit ${business} nichts zu tun haben, müssen Sie nichts tun. Nach der Anmeldung können Sie auch wieder austreten.`,
  },
  fr: {
    subject: (business) => `Votre accès à ${business} sur Paraph`,
    added: (who, business) =>
      `${who} vous a donné accès à ${business}. Vous pouvez désormais envoyer des documents à signer avec vos collègues et en suivre l’avancement.`,
    signIn: "Connectez-vous avec votre compte, comme d’habitude.",
    register: "Ouvrez un compte avec cette adresse e-mail. Cela prend une minute.",
    openConsole: "Ouvrir Paraph",
    openRegister: "Ouvrir mon compte",
    ignore: (business) =>
      `Si vous n’avez rien à voir avec ${business}, vous n’avez rien à faire. Vous pouvez aussi en sortir, une fois la session ouverte.`,
  },
  it: {
    subject: (business) => `${business} L’ha aggiunta su Paraph`,
    added: (who, business) =>
      `${who} L’ha aggiunta a ${business}. Ora può inviare documenti da firmare insieme ai Suoi colleghi e seguirne lo stato.`,
    signIn: "Acceda con il Suo account, come sempre.",
    register: "Crei un account con questo indirizzo e-mail. Basta un minuto.",
    openConsole: "Apri Paraph",
    openRegister: "Crea il mio account",
    ignore: (business) =>
      `Se non ha nulla a che fare con ${business}, non deve fare nulla. Dopo l’accesso può anche uscirne di nuovo.`,
  },
}
