import type { Words } from "./words.ts"

export const it: Words = {
  demo: "TEST – senza effetti giuridici",
  invitation: {
    subject: (sender, title) => `${sender} Le chiede di firmare: ${title}`,
    heading: (sender, title) => `${sender} Le chiede di firmare «${title}»`,
    documents: (count) =>
      count === 1 ? "C’è un documento da firmare." : `Ci sono ${count} documenti da firmare.`,
    read: "Prima legga, poi decida. Non serve un conto utente e bastano pochi minuti.",
    turnIsLater: "Altre persone firmano prima di Lei. Le scriveremo di nuovo quando sarà il Suo turno.",
    messageFrom: (sender) => `${sender} scrive:`,
    open: (documents) => (documents === 1 ? "Vedi il documento" : "Vedi i documenti"),
    openLater: "Vedi a che punto è",
    linkHint: "Se il pulsante non funziona, copi questo indirizzo nel Suo browser:",
    personalLink: "Questo link è destinato soltanto a Lei. La preghiamo di non inoltrarlo.",
    unexpected: (sender) =>
      `Non se l’aspettava? Allora non apra nulla e chieda a ${sender} per una via che conosce. Nulla viene firmato se non lo fa Lei stesso.`,
    neverAsked: "Non chiediamo mai una password o un pagamento per e-mail.",
    deadline: (date) => `Può firmare fino ${al(date)} compreso.`,
    quality: {
      SES: "È richiesta una firma elettronica semplice.",
      AES: "È richiesta una firma elettronica avanzata; firmando Lei conferma la Sua identità.",
      QES: "È richiesta una firma elettronica qualificata, che la legge equipara alla firma autografa; per questo la Sua identità viene verificata.",
    },
    madeBy: (person) => `La richiesta è stata preparata da ${person}.`,
  },
  yourTurn: {
    subject: (title) => `È il Suo turno di firmare: ${title}`,
    heading: (title) => `È il Suo turno di firmare «${title}»`,
    lead: (sender) => `Nessuno deve più firmare prima di Lei. Ora ${sender} Le chiede di firmare.`,
  },
  reminder: {
    subject: (sender, title) => `${sender} Le ricorda di firmare: ${title}`,
    heading: (sender, title) => `${sender} Le ricorda di firmare «${title}»`,
    lead: (firstDate) => `Le abbiamo scritto per la prima volta ${il(firstDate)}. La Sua firma manca ancora.`,
  },
  completed: {
    subject: (title) => `Firmato: ${title}`,
    byYou: (title) => `Lei ha firmato «${title}»`,
    byYouAndOthers: (title) => `Tutti hanno firmato «${title}»`,
    byAll: (title) => `«${title}» è stato firmato da tutti`,
    byOne: (title) => `«${title}» è stato firmato`,
    protocol:
      "Il protocollo di firma è allegato: dice passo per passo chi ha firmato che cosa, quando e come.",
    noProtocol: (sender) =>
      `Non è stato possibile allegare il protocollo di firma a questa e-mail. ${sender} può ottenerlo dal servizio e dargliene una copia.`,
    attached: (count) =>
      count === 1 ? "Il documento firmato è allegato." : `I ${count} documenti firmati sono allegati.`,
    keep: (count) =>
      count === 1
        ? "Conservi il file PDF stesso: una stampa non contiene le firme."
        : "Conservi i file PDF stessi: le stampe non contengono le firme.",
    tooLarge: (sender, count) =>
      count === 1
        ? `Il documento firmato è troppo grande per un’e-mail. ${sender} ne dispone e può dargliene una copia.`
        : `I ${count} documenti firmati sono troppo grandi per un’e-mail. ${sender} ne dispone e può dargliene delle copie.`,
    notAttached: (sender, count) =>
      count === 1
        ? `${sender} dispone del documento firmato e può dargliene una copia.`
        : `${sender} dispone dei ${count} documenti firmati e può dargliene delle copie.`,
  },
  declined: {
    subject: (title) => `Rifiutato: ${title}`,
    heading: (who, title) => `${who} ha rifiutato di firmare «${title}»`,
    byYou: (title) => `Lei ha rifiutato di firmare «${title}»`,
    over: "Con ciò la richiesta è terminata; nessuno può più firmare. Lei non deve fare altro.",
    reasonOf: (who) => `Il motivo indicato da ${who}:`,
    yourReason: "Il motivo che Lei ha indicato:",
  },
  withdrawn: {
    subject: (title) => `Ritirato: ${title}`,
    heading: (sender, title) => `${sender} ha ritirato «${title}»`,
    signer:
      "Nessuno può più firmare e i link precedenti non portano da nessuna parte. Lei non deve fare altro.",
    follower: "La richiesta è terminata prima che tutti avessero firmato. Nessuno può più firmare.",
  },
  expired: {
    subject: (title) => `Scaduto: ${title}`,
    heading: (title) => `Il termine per firmare «${title}» è scaduto`,
    until: (date) => `Si poteva firmare fino ${al(date)}.`,
    signer: (sender) =>
      `Nessuno può più firmare. Se serve ancora, ${sender} può inviare una nuova richiesta.`,
    follower: "A quella data non tutti avevano firmato, e ora nessuno può più farlo.",
  },
  expiringSoon: {
    subject: (date, title) => `Da firmare entro ${il(date)}: ${title}`,
    signerHeading: (date, title) => `Può firmare «${title}» fino ${al(date)}`,
    signer: "La Sua firma manca ancora. Dopo quel giorno nessuno potrà più firmare.",
    followerHeading: (date, title) => `«${title}» si può firmare fino ${al(date)}`,
    follower: "Non tutti hanno ancora firmato. Dopo quel giorno nessuno potrà più firmare.",
    open: "Leggere e firmare",
  },
  observerAdded: {
    subject: (sender, title) => `${sender} Le permette di seguire: ${title}`,
    heading: (sender, title) => `${sender} Le permette di seguire «${title}»`,
    text: "Lei osserva, non firma: può leggere la richiesta e i suoi documenti, e Le scriveremo quando sarà terminata.",
    open: "Vedi la richiesta",
  },
  code: {
    subject: (title, code) => `Il Suo codice per «${title}»: ${code}`,
    heading: (code) => `Il Suo codice è ${code}`,
    text: (sender, title) =>
      `Lo inserisca nella pagina in cui ha aperto «${title}» di ${sender}. Mostra che questa casella di posta è Sua.`,
    lasts: "Vale 10 minuti, e soltanto in quella pagina.",
    nobody: "Non lo comunichi a nessuno, neppure al telefono: né noi né il mittente glielo chiederemo.",
    unexpected:
      "Non ha chiesto un codice? Allora qualcun altro ha aperto la pagina; senza il codice non può fare nulla.",
  },
  sentBy: (business) => `Inviato da ${business} tramite Paraph.`,
  why: {
    signer: (sender) => `Riceve questa e-mail perché ${sender} Le ha chiesto di firmare.`,
    follower: (sender) => `Riceve questa e-mail perché segue una richiesta di firma di ${sender}.`,
  },
}

/** The article melts into a number that begins with a vowel: l’8, l’11. */
const melts = (date: string): boolean => /^(8|11)\b/u.test(date)
const il = (date: string): string => (melts(date) ? `l’${date}` : `il ${date}`)
const al = (date: string): string => (melts(date) ? `all’${date}` : `al ${date}`)
