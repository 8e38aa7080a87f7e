import type { Language } from "@paraph/core/language"

export type Message = { readonly heading: string; readonly text: string }

/** Every word of the server's own pages. A language that leaves one out does not compile. */
export type DoorWords = {
  /** Of the language itself, as its readers call it; and as the head of the page names it. */
  readonly name: string
  readonly tag: string
  readonly demo: string
  readonly languages: string
  /** Between the sender and the title. */
  readonly asks: string
  readonly senderWrites: string
  readonly documents: (count: number) => string
  readonly until: (date: string) => string
  readonly read: string
  readonly open: string
  readonly meantFor: string
  readonly alone: string
  readonly unexpected: string
  /** Until the page of a mailed link is there. */
  readonly landing: { readonly heading: string; readonly withoutScript: string; readonly failed: string }
  /** An unknown link and a wrong one read the same, so guessing teaches nothing. */
  readonly unknownLink: Message
  readonly noSession: Message
  readonly alreadySigned: Message
  readonly seeSigned: string
  readonly declined: Message
  readonly withdrawn: Message
  readonly ended: Message
  readonly expired: (date: string | null) => Message
  /** How many come first is told, who they are is not. */
  readonly notYourTurn: (waitingFor: number) => Message
}

const en: DoorWords = {
  name: "English",
  tag: "en",
  demo: "TEST – no legal effect",
  languages: "Language",
  asks: "asks you to sign",
  senderWrites: "The sender writes:",
  documents: (count) => (count === 1 ? "1 document" : `${count} documents`),
  until: (date) => `to be signed by ${date}`,
  read: "Read the document first, then decide. You need no account.",
  open: "Open document",
  meantFor: "This link is meant for",
  alone: "alone.",
  unexpected:
    "You did not expect this? Close this page and ask the sender by a way you know. Nothing is signed unless you do it yourself.",
  landing: {
    heading: "Your document is being opened",
    withoutScript:
      "To open the document, your browser has to run scripts. Please turn JavaScript on, or open the link of the e-mail in another browser, such as that of your phone.",
    failed:
      "The page could not be loaded. Please check your connection, then open the link of the e-mail again.",
  },
  unknownLink: {
    heading: "This link does not work",
    text: "Please open the newest e-mail you received and press the button there again. If that does not help, ask the sender for a new invitation.",
  },
  noSession: {
    heading: "Please open the link from your e-mail",
    text: "For your safety this page closes after a while. The button in the e-mail brings you back; nothing is lost.",
  },
  alreadySigned: {
    heading: "You have signed",
    text: "Your signature is in place. There is nothing more for you to do here.",
  },
  seeSigned: "See what you signed",
  declined: {
    heading: "This request was declined",
    text: "It has ended for everyone, and nobody can sign it any more. There is nothing more for you to do.",
  },
  withdrawn: {
    heading: "The sender has withdrawn this request",
    text: "It can no longer be signed. There is nothing more for you to do.",
  },
  ended: {
    heading: "This request has ended",
    text: "It can no longer be signed. If you think this is a mistake, please ask the sender.",
  },
  expired: (date) => ({
    heading: "The time for signing is over",
    text: `${date === null ? "It can no longer be signed." : `It could be signed until ${date}.`} Should it still be needed, the sender can send a new request.`,
  }),
  notYourTurn: (waitingFor) => ({
    heading: "It is not your turn yet",
    text: `${waitingFor === 0 ? "Others sign" : waitingFor === 1 ? "One person signs" : `${waitingFor} people sign`} before you. We will write to you when it is your turn; until then there is nothing for you to do.`,
  }),
}

const de: DoorWords = {
  name: "Deutsch",
  tag: "de-CH",
  demo: "TEST – ohne rechtliche Wirkung",
  languages: "Sprache",
  asks: "bittet Sie um Ihre Unterschrift:",
  senderWrites: "Nachricht des Absenders:",
  documents: (count) => (count === 1 ? "1 Dokument" : `${count} Dokumente`),
  until: (date) => `zu unterschreiben bis am ${date}`,
  read: "Lesen Sie das Dokument zuerst, und entscheiden Sie dann. Sie brauchen kein Konto.",
  open: "Dokument öffnen",
  meantFor: "Dieser Link ist nur für",
  alone: "bestimmt.",
  unexpected:
    "Sie haben das nicht erwartet? Schliessen Sie diese Seite, und fragen Sie den Absender auf einem Weg, den Sie kennen. Nichts wird unterschrieben, wenn Sie es nicht selbst tun.",
  landing: {
    heading: "Ihr Dokument wird geöffnet",
    withoutScript:
      "Um das Dokument zu öffnen, muss Ihr Browser Skripte ausführen. Bitte schalten Sie JavaScript ein, oder öffnen Sie den Link der E-Mail in einem anderen Browser, zum Beispiel auf Ihrem Telefon.",
    failed:
      "Die Seite konnte nicht geladen werden. Bitte prüfen Sie Ihre Verbindung und öffnen Sie den Link der E-Mail noch einmal.",
  },
  unknownLink: {
    heading: "Dieser Link funktioniert nicht",
    text: "Bitte öffnen Sie die neuste E-Mail, die Sie erhalten haben, und drücken Sie dort noch einmal auf den Knopf. Wenn das nicht hilft, bitten Sie den Absender um eine neue Einladung.",
  },
  noSession: {
    heading: "Bitte öffnen Sie den Link aus Ihrer E-Mail",
    text: "Zu Ihrer Sicherheit schliesst sich diese Seite nach einer Weile. Der Knopf in der E-Mail bringt Sie zurück; nichts geht verloren.",
  },
  alreadySigned: {
    heading: "Sie haben unterschrieben",
    text: "Ihre Unterschrift ist angebracht. Sie müssen hier nichts mehr tun.",
  },
  seeSigned: "Ansehen, was Sie unterschrieben haben",
  declined: {
    heading: "Diese Anfrage wurde abgelehnt",
    text: "Sie ist für alle beendet, und niemand kann mehr unterschreiben. Sie müssen nichts mehr tun.",
  },
  withdrawn: {
    heading: "Der Absender hat diese Anfrage zurückgezogen",
    text: "Sie kann nicht mehr unterschrieben werden. Sie müssen nichts mehr tun.",
  },
  ended: {
    heading: "Diese Anfrage ist beendet",
    text: "Sie kann nicht mehr unterschrieben werden. Wenn Sie das für einen Irrtum halten, fragen Sie bitte den Absender.",
  },
  expired: (date) => ({
    heading: "Die Zeit zum Unterschreiben ist abgelaufen",
    text: `${date === null ? "Es kann nicht mehr unterschrieben werden." : `Unterschrieben werden konnte bis am ${date}.`} Wird die Unterschrift noch gebraucht, kann der Absender eine neue Anfrage senden.`,
  }),
  notYourTurn: (waitingFor) => ({
    heading: "Sie sind noch nicht an der Reihe",
    text: `${waitingFor === 0 ? "Andere unterschreiben" : waitingFor === 1 ? "Eine Person unterschreibt" : `${waitingFor} Personen unterschreiben`} vor Ihnen. Wir schreiben Ihnen, wenn Sie an der Reihe sind; bis dahin müssen Sie nichts tun.`,
  }),
}

const fr: DoorWords = {
  name: "Français",
  tag: "fr-CH",
  demo: "TEST – sans effet juridique",
  languages: "Langue",
  asks: "vous demande de signer",
  senderWrites: "Message de l’expéditeur :",
  documents: (count) => (count === 1 ? "1 document" : `${count} documents`),
  until: (date) => `à signer jusqu’au ${date}`,
  read: "Lisez d’abord le document, puis décidez. Vous n’avez pas besoin de compte.",
  open: "Ouvrir le document",
  meantFor: "Ce lien est destiné uniquement à",
  alone: "",
  unexpected:
    "Vous ne vous y attendiez pas ? Fermez cette page et demandez à l’expéditeur par un moyen que vous connaissez. Rien n’est signé si vous ne le faites pas vous-même.",
  landing: {
    heading: "Votre document s’ouvre",
    withoutScript:
      "Pour ouvrir le document, votre navigateur doit exécuter des scripts. Veuillez activer JavaScript, ou ouvrir le lien de l’e-mail dans un autre navigateur, par exemple celui de votre téléphone.",
    failed:
      "La page n’a pas pu être chargée. Veuillez vérifier votre connexion, puis rouvrir le lien de l’e-mail.",
  },
  unknownLink: {
    heading: "Ce lien ne fonctionne pas",
    text: "Veuillez ouvrir l’e-mail le plus récent que vous avez reçu et appuyer de nouveau sur son bouton. Si cela n’aide pas, demandez une nouvelle invitation à l’expéditeur.",
  },
  noSession: {
    heading: "Veuillez ouvrir le lien de votre e-mail",
    text: "Pour votre sécurité, cette page se ferme après un moment. Le bouton de l’e-mail vous ramène ici ; rien n’est perdu.",
  },
  alreadySigned: {
    heading: "Vous avez signé",
    text: "Votre signature est apposée. Vous n’avez plus rien à faire ici.",
  },
  seeSigned: "Voir ce que vous avez signé",
  declined: {
    heading: "Cette demande a été refusée",
    text: "Elle est terminée pour tout le monde et personne ne peut plus la signer. Vous n’avez plus rien à faire.",
  },
  withdrawn: {
    heading: "L’expéditeur a retiré cette demande",
    text: "Elle ne peut plus être signée. Vous n’avez plus rien à faire.",
  },
  ended: {
    heading: "Cette demande est terminée",
    text: "Elle ne peut plus être signée. Si vous pensez qu’il s’agit d’une erreur, demandez à l’expéditeur.",
  },
  expired: (date) => ({
    heading: "Le délai de signature est écoulé",
    text: `${date === null ? "Il n’est plus possible de signer." : `Il était possible de signer jusqu’au ${date}.`} Si la signature est encore nécessaire, l’expéditeur peut envoyer une nouvelle demande.`,
  }),
  notYourTurn: (waitingFor) => ({
    heading: "Ce n’est pas encore votre tour",
    text: `${waitingFor === 0 ? "D’autres personnes signent" : waitingFor === 1 ? "Une personne signe" : `${waitingFor} personnes signent`} avant vous. Nous vous écrirons quand ce sera votre tour ; d’ici là, vous n’avez rien à faire.`,
  }),
}

const it: DoorWords = {
  name: "Italiano",
  tag: "it-CH",
  demo: "TEST – senza effetti giuridici",
  languages: "Lingua",
  asks: "le chiede di firmare",
  senderWrites: "Messaggio del mittente:",
  documents: (count) => (count === 1 ? "1 documento" : `${count} documenti`),
  until: (date) => `da firmare entro il ${date}`,
  read: "Legga prima il documento, poi decida. Non le serve un account.",
  open: "Apri il documento",
  meantFor: "Questo link è destinato soltanto a",
  alone: "",
  unexpected:
    "Non se lo aspettava? Chiuda questa pagina e chieda al mittente per una via che conosce. Nulla viene firmato se non lo fa lei.",
  landing: {
    heading: "Il documento si sta aprendo",
    withoutScript:
      "Per aprire il documento, il browser deve eseguire script. Attivi JavaScript o apra il link dell’e-mail in un altro browser, ad esempio quello del telefono.",
    failed: "La pagina non è stata caricata. Controlli la connessione e apra di nuovo il link dell’e-mail.",
  },
  unknownLink: {
    heading: "Questo link non funziona",
    text: "Apra l’e-mail più recente che ha ricevuto e prema di nuovo il pulsante. Se non basta, chieda al mittente un nuovo invito.",
  },
  noSession: {
    heading: "Apra il link della sua e-mail",
    text: "Per la sua sicurezza questa pagina si chiude dopo un po’. Il pulsante dell’e-mail la riporta qui; nulla va perso.",
  },
  alreadySigned: {
    heading: "Ha firmato",
    text: "La sua firma è apposta. Qui non deve fare altro.",
  },
  seeSigned: "Vedere ciò che ha firmato",
  declined: {
    heading: "Questa richiesta è stata rifiutata",
    text: "È terminata per tutti e nessuno può più firmarla. Non deve fare altro.",
  },
  withdrawn: {
    heading: "Il mittente ha ritirato questa richiesta",
    text: "Non può più essere firmata. Non deve fare altro.",
  },
  ended: {
    heading: "Questa richiesta è terminata",
    text: "Non può più essere firmata. Se pensa che sia un errore, chieda al mittente.",
  },
  expired: (date) => ({
    heading: "Il tempo per firmare è scaduto",
    text: `${date === null ? "Non è più possibile firmare." : `Era possibile firmare fino al ${date}.`} Se la firma serve ancora, il mittente può inviare una nuova richiesta.`,
  }),
  notYourTurn: (waitingFor) => ({
    heading: "Non è ancora il suo turno",
    text: `${waitingFor === 0 ? "Altri firmano" : waitingFor === 1 ? "Una persona firma" : `${waitingFor} persone firmano`} prima di lei. Le scriveremo quando sarà il suo turno; fino ad allora non deve fare nulla.`,
  }),
}

export const DOOR_WORDS: Readonly<Record<Language, DoorWords>> = { en, de, fr, it }
