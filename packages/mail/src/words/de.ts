import type { Words } from "./words.ts"

export const de: Words = {
  demo: "TEST – ohne rechtliche Wirkung",
  invitation: {
    subject: (sender, title) => `${sender} bittet Sie um Ihre Unterschrift: ${title}`,
    heading: (sender, title) => `${sender} bittet Sie, «${title}» zu unterschreiben`,
    documents: (count) => (count === 1 ? "Es ist ein Dokument." : `Es sind ${count} Dokumente.`),
    read: "Lesen Sie zuerst, entscheiden Sie dann. Sie brauchen kein Konto, und es dauert nur wenige Minuten.",
    turnIsLater:
      "Vor Ihnen unterschreiben noch andere. Wir schreiben Ihnen wieder, sobald Sie an der Reihe sind.",
    messageFrom: (sender) => `${sender} schreibt:`,
    open: "Dokument ansehen",
    openLater: "Stand ansehen",
    linkHint: "Falls die Schaltfläche nicht geht, kopieren Sie diese Adresse in Ihren Browser:",
    personalLink: "Dieser Link ist nur für Sie bestimmt. Bitte geben Sie ihn nicht weiter.",
    unexpected: (sender) =>
      `Sie haben das nicht erwartet? Dann öffnen Sie es nicht und fragen Sie bei ${sender} nach, auf einem Weg, den Sie kennen. Nichts wird unterschrieben, wenn Sie es nicht selbst tun.`,
    neverAsked: "Wir fragen nie per E-Mail nach einem Passwort oder einer Zahlung.",
  },
}
