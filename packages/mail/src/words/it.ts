import type { Words } from "./words.ts"

export const it: Words = {
  demo: "TEST – senza effetti giuridici",
  invitation: {
    subject: (sender, title) => `${sender} Le chiede di firmare: ${title}`,
    heading: (sender, title) => `${sender} Le chiede di firmare «${title}»`,
    documents: (count) => (count === 1 ? "C’è un documento." : `Ci sono ${count} documenti.`),
    read: "Prima legga, poi decida. Non serve un conto utente e bastano pochi minuti.",
    turnIsLater: "Altre persone firmano prima di Lei. Le scriveremo di nuovo quando sarà il Suo turno.",
    messageFrom: (sender) => `${sender} scrive:`,
    open: "Vedi il documento",
    openLater: "Vedi a che punto è",
    linkHint: "Se il pulsante non funziona, copi questo indirizzo nel Suo browser:",
    personalLink: "Questo link è destinato soltanto a Lei. La preghiamo di non inoltrarlo.",
    unexpected: (sender) =>
      `Non se l’aspettava? Allora non apra nulla e chieda a ${sender} per una via che conosce. Nulla viene firmato se non lo fa Lei stesso.`,
    neverAsked: "Non chiediamo mai una password o un pagamento per e-mail.",
  },
}
