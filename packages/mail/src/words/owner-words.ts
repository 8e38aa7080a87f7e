import type { ProviderChange } from "@paraph/core/account/model"
import type { Language } from "@paraph/core/language"

export type OwnerWords = {
  readonly singleSignOn: {
    readonly subject: (business: string) => string
    readonly text: (who: string, business: string, time: string) => string
    /** `to` is the new value where it can be shown: an address, a name, on or off. */
    readonly changes: Readonly<Record<ProviderChange["what"], (to: string) => string>>
    readonly open: string
    readonly notYou: string
  }
  readonly keyReset: {
    readonly subject: (business: string) => string
    readonly text: (key: string, business: string, time: string) => string
    readonly claim: string
    readonly open: string
  }
  readonly on: string
  readonly off: string
}

/** Every word of the mails to the owners of a business about what opens it. */
export const OWNER_WORDS: Readonly<Record<Language, OwnerWords>> = {
  en: {
    singleSignOn: {
      subject: (business) => `Single sign-on of ${business} was changed`,
      text: (who, business, time) => `${who} changed the single sign-on of ${business} on ${time}:`,
      changes: {
        issuer: (to) => `The provider is now ${to}.`,
        client: (to) => `The client ID is now ${to}.`,
        secret: () => "There is a new client secret.",
        enforced: (to) => `Single sign-on required for members: ${to}.`,
        joins: (to) => `Colleagues are added automatically: ${to}.`,
        removed: () => "Single sign-on was switched off.",
      },
      open: "See the settings",
      notYou:
        "Whoever names the provider decides who gets in. If you did not expect this, look at the settings now and change what is wrong.",
    },
    keyReset: {
      subject: (business) => `An API key of ${business} was ended`,
      text: (key, business, time) =>
        `The operator of this service ended the API key “${key}” of ${business} on ${time}, because it may be known to others. Programs that use it are locked out.`,
      claim:
        "The new key is shown once, in the console, to an owner, an administrator or a developer of your business, and to nobody else.",
      open: "Get the new key",
    },
    on: "on",
    off: "off",
  },
  de: {
    singleSignOn: {
      subject: (business) => `Single Sign-on von ${business} wurde geändert`,
      text: (who, business, time) => `${who} hat das Single Sign-on von ${business} am ${time} geändert:`,
      changes: {
        issuer: (to) => `Der Anbieter ist jetzt ${to}.`,
        client: (to) => `Die Client-ID ist jetzt ${to}.`,
        secret: () => "Es gibt ein neues Client-Secret.",
        enforced: (to) => `Single Sign-on ist für Mitglieder vorgeschrieben: ${to}.`,
        joins: (to) => `Kolleginnen und Kollegen werden automatisch aufgenommen: ${to}.`,
        removed: () => "Single Sign-on wurde ausgeschaltet.",
      },
      open: "Einstellungen ansehen",
      notYou:
        "Wer den Anbieter bestimmt, bestimmt, wer hereinkommt. Haben Sie das nicht erwartet? Dann sehen Sie die Einstellungen jetzt an und ändern Sie, was nicht stimmt.",
    },
    keyReset: {
      subject: (business) => `Ein API-Schlüssel von ${business} wurde gesperrt`,
      text: (key, business, time) =>
        `Der Betreiber dieses Dienstes hat den API-Schlüssel «${key}» von ${business} am ${time} gesperrt, weil er anderen bekannt sein könnte. Programme, die ihn verwenden, sind ausgesperrt.`,
      claim:
        "Der neue Schlüssel wird ein einziges Mal in der Konsole gezeigt: einer Person Ihres Unternehmens mit der Rolle Inhaber, Administrator oder Entwickler, und sonst niemandem.",
      open: "Neuen Schlüssel holen",
    },
    on: "ein",
    off: "aus",
  },
  fr: {
    singleSignOn: {
      subject: (business) => `L’authentification unique de ${business} a été modifiée`,
      text: (who, business, time) => `${who} a modifié l’authentification unique de ${business} le ${time} :`,
      changes: {
        issuer: (to) => `Le fournisseur est désormais ${to}.`,
        client: (to) => `L’identifiant du client est désormais ${to}.`,
        secret: () => "Il y a un nouveau secret du client.",
        enforced: (to) => `Authentification unique obligatoire pour les membres : ${to}.`,
        joins: (to) => `Ajout automatique des collègues : ${to}.`,
        removed: () => "L’authentification unique a été désactivée.",
      },
      open: "Voir les réglages",
      notYou:
        "Qui désigne le fournisseur décide de qui peut entrer. Si vous ne vous y attendiez pas, consultez les réglages maintenant et corrigez ce qui ne va pas.",
    },
    keyReset: {
      subject: (business) => `Une clé API de ${business} a été bloquée`,
      text: (key, business, time) =>
        `L’exploitant de ce service a bloqué la clé API « ${key} » de ${business} le ${time}, car d’autres pourraient la connaître. Les programmes qui l’utilisent n’ont plus accès.`,
      claim:
        "La nouvelle clé est montrée une seule fois, dans la console, à une personne de votre entreprise qui est propriétaire, administratrice ou développeuse, et à personne d’autre.",
      open: "Obtenir la nouvelle clé",
    },
    on: "oui",
    off: "non",
  },
  it: {
    singleSignOn: {
      subject: (business) => `Il single sign-on di ${business} è stato modificato`,
      text: (who, business, time) => `${who} ha modificato il single sign-on di ${business} il ${time}:`,
      changes: {
        issuer: (to) => `Il fornitore è ora ${to}.`,
        client: (to) => `L’ID del client è ora ${to}.`,
        secret: () => "C’è un nuovo segreto del client.",
        enforced: (to) => `Single sign-on obbligatorio per i membri: ${to}.`,
        joins: (to) => `I colleghi vengono aggiunti automaticamente: ${to}.`,
        removed: () => "Il single sign-on è stato disattivato.",
      },
      open: "Vedi le impostazioni",
      notYou:
        "Chi indica il fornitore decide chi può entrare. Se non se l’aspettava, guardi subito le impostazioni e corregga ciò che non va.",
    },
    keyReset: {
      subject: (business) => `Una chiave API di ${business} è stata bloccata`,
      text: (key, business, time) =>
        `Il gestore di questo servizio ha bloccato la chiave API «${key}» di ${business} il ${time}, perché altri potrebbero conoscerla. I programmi che la usano non hanno più accesso.`,
      claim:
        "La nuova chiave viene mostrata una sola volta, nella console, a una persona della Sua azienda che è titolare, amministratore o sviluppatore, e a nessun altro.",
      open: "Ottieni la nuova chiave",
    },
    on: "sì",
    off: "no",
  },
}
