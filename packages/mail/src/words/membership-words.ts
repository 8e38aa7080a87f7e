import type { Language } from "@paraph/core/language"

export type MembershipWords = {
  readonly subject: (business: string) => string
  /** `who` is the address of the colleague. */
  readonly invited: (who: string, business: string) => string
  readonly signIn: string
  readonly register: string
  readonly openConsole: string
  readonly openRegister: string
  readonly ignore: (business: string) => string
}

/** Every word of the mail to somebody whom a business wants as a member. */
export const MEMBERSHIP_WORDS: Readonly<Record<Language, MembershipWords>> = {
  en: {
    subject: (business) => `${business} invites you on Paraph`,
    invited: (who, business) =>
      `${who} invites you to join ${business}, to send documents for signature together with your colleagues and follow them. Nothing changes until you accept.`,
    signIn: "Sign in with your account, as you always do. There you can accept or decline.",
    register:
      "Create an account with this e-mail address. It takes a minute. Then open the console, and accept or decline.",
    openConsole: "Open Paraph",
    openRegister: "Create my account",
    ignore: (business) => `If you have nothing to do with ${business}, you need do nothing.`,
  },
  de: {
    subject: (business) => `${business} lädt Sie bei Paraph ein`,
    invited: (who, business) =>
      `${who} lädt Sie zu ${business} ein, um zusammen mit Ihren Kolleginnen und Kollegen Dokumente zur Unterschrift zu schicken und zu verfolgen. Solange Sie nicht annehmen, ändert sich nichts.`,
    signIn: "Melden Sie sich wie gewohnt mit Ihrem Konto an. Dort können Sie annehmen oder ablehnen.",
    register:
      "Eröffnen Sie ein Konto mit dieser E-Mail-Adresse. Das dauert eine Minute. Öffnen Sie danach die Konsole, und nehmen Sie an oder lehnen Sie ab.",
    openConsole: "Paraph öffnen",
    openRegister: "Konto eröffnen",
    ignore: (business) => `Wenn Sie mit ${business} nichts zu tun haben, müssen Sie nichts tun.`,
  },
  fr: {
    subject: (business) => `${business} vous invite sur Paraph`,
    invited: (who, business) =>
      `${who} vous invite à rejoindre ${business}, pour envoyer des documents à signer avec vos collègues et en suivre l’avancement. Rien ne change tant que vous n’avez pas accepté.`,
    signIn: "Connectez-vous avec votre compte, comme d’habitude. Vous pourrez y accepter ou refuser.",
    register:
      "Ouvrez un compte avec cette adresse e-mail. Cela prend une minute. Ouvrez ensuite la console pour accepter ou refuser.",
    openConsole: "Ouvrir Paraph",
    openRegister: "Ouvrir mon compte",
    ignore: (business) => `Si vous n’avez rien à voir avec ${business}, vous n’avez rien à faire.`,
  },
  it: {
    subject: (business) => `${business} La invita su Paraph`,
    invited: (who, business) =>
      `${who} La invita a far parte di ${business}, per inviare documenti da firmare insieme ai Suoi colleghi e seguirne lo stato. Non cambia nulla finché non accetta.`,
    signIn: "Acceda con il Suo account, come sempre. Lì può accettare o rifiutare.",
    register:
      "Crei un account con questo indirizzo e-mail. Basta un minuto. Poi apra la console, e accetti o rifiuti.",
    openConsole: "Apri Paraph",
    openRegister: "Crea il mio account",
    ignore: (business) => `Se non ha nulla a che fare con ${business}, non deve fare nulla.`,
  },
}
