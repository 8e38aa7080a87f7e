import type { Words } from "./words.ts"

export const de: Words = {
  demo: "TEST – ohne rechtliche Wirkung",
  invitation: {
    subject: (sender, title) => `${sender} bittet Sie um Ihre Unterschrift: ${title}`,
    heading: (sender, title) => `${sender} bittet Sie, «${title}» zu unterschreiben`,
    documents: (count) =>
      count === 1 ? "Zu unterschreiben ist ein Dokument." : `Zu unterschreiben sind ${count} Dokumente.`,
    read: "Lesen Sie zuerst, entscheiden Sie dann. Sie brauchen kein Konto, und es dauert nur wenige Minuten.",
    turnIsLater:
      "Vor Ihnen unterschreiben noch andere. Wir schreiben Ihnen wieder, sobald Sie an der Reihe sind.",
    messageFrom: (sender) => `${sender} schreibt:`,
    open: (documents) => (documents === 1 ? "Dokument ansehen" : "Dokumente ansehen"),
    openLater: "Stand ansehen",
    linkHint: "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
    personalLink: "Dieser Link ist nur für Sie bestimmt. Bitte geben Sie ihn nicht weiter.",
    unexpected: (sender) =>
      `Sie haben das nicht erwartet? Dann öffnen Sie es nicht und fragen Sie bei ${sender} nach, auf einem Weg, den Sie kennen. Nichts wird unterschrieben, wenn Sie es nicht selbst tun.`,
    neverAsked: "Wir fragen nie per E-Mail nach einem Passwort oder einer Zahlung.",
    deadline: (date) => `Sie können bis am ${date} unterschreiben.`,
    quality: {
      SES: "Verlangt ist eine einfache elektronische Signatur.",
      AES: "Verlangt ist eine fortgeschrittene elektronische Signatur; Sie bestätigen beim Unterschreiben, wer Sie sind.",
      QES: "Verlangt ist eine qualifizierte elektronische Signatur, die das Gesetz der Unterschrift von Hand gleichstellt; dafür wird Ihre Identität geprüft.",
    },
    madeBy: (person) => `Die Anfrage hat ${person} erstellt.`,
  },
  yourTurn: {
    subject: (title) => `Sie sind an der Reihe: ${title}`,
    heading: (title) => `Sie sind an der Reihe, «${title}» zu unterschreiben`,
    lead: (sender) =>
      `Vor Ihnen muss niemand mehr unterschreiben. ${sender} bittet nun um Ihre Unterschrift.`,
  },
  reminder: {
    subject: (sender, title) => `${sender} erinnert Sie an Ihre Unterschrift: ${title}`,
    heading: (sender, title) => `${sender} erinnert Sie daran, «${title}» zu unterschreiben`,
    lead: (firstDate) =>
      `Wir haben Ihnen zum ersten Mal am ${firstDate} geschrieben. Ihre Unterschrift fehlt noch.`,
  },
  completed: {
    subject: (title) => `Unterschrieben: ${title}`,
    byYou: (title) => `Sie haben «${title}» unterschrieben`,
    byYouAndOthers: (title) => `Alle haben «${title}» unterschrieben`,
    byAll: (title) => `«${title}» ist von allen unterschrieben`,
    byOne: (title) => `«${title}» ist unterschrieben`,
    protocol:
      "Das Signaturprotokoll ist beigefügt: Es sagt Schritt für Schritt, wer was wann und wie unterschrieben hat.",
    noProtocol: (sender) =>
      `Das Signaturprotokoll konnte dieser E-Mail nicht beigefügt werden. ${sender} kann es beim Dienst abrufen und Ihnen eine Kopie geben.`,
    attached: (count) =>
      count === 1
        ? "Das unterschriebene Dokument liegt bei."
        : `Die ${count} unterschriebenen Dokumente liegen bei.`,
    keep: (count) =>
      count === 1
        ? "Bewahren Sie die PDF-Datei selbst auf: Ein Ausdruck enthält die Signaturen nicht."
        : "Bewahren Sie die PDF-Dateien selbst auf: Ausdrucke enthalten die Signaturen nicht.",
    tooLarge: (sender, count) =>
      count === 1
        ? `Das unterschriebene Dokument ist zu gross für eine E-Mail. ${sender} hat es und kann Ihnen eine Kopie geben.`
        : `Die ${count} unterschriebenen Dokumente sind zu gross für eine E-Mail. ${sender} hat sie und kann Ihnen Kopien geben.`,
    notAttached: (sender, count) =>
      count === 1
        ? `${sender} hat das unterschriebene Dokument und kann Ihnen eine Kopie geben.`
        : `${sender} hat die ${count} unterschriebenen Dokumente und kann Ihnen Kopien geben.`,
  },
  declined: {
    subject: (title) => `Abgelehnt: ${title}`,
    heading: (who, title) => `${who} hat es abgelehnt, «${title}» zu unterschreiben`,
    byYou: (title) => `Sie haben es abgelehnt, «${title}» zu unterschreiben`,
    over: "Damit ist die Anfrage beendet; niemand kann mehr unterschreiben. Sie müssen nichts mehr tun.",
    reasonOf: (who) => `Der Grund, den ${who} angegeben hat:`,
    yourReason: "Der Grund, den Sie angegeben haben:",
  },
  withdrawn: {
    subject: (title) => `Zurückgezogen: ${title}`,
    heading: (sender, title) => `${sender} hat «${title}» zurückgezogen`,
    signer:
      "Niemand kann mehr unterschreiben, und frühere Links führen ins Leere. Sie müssen nichts mehr tun.",
    follower: "Die Anfrage endete, bevor alle unterschrieben hatten. Niemand kann mehr unterschreiben.",
  },
  expired: {
    subject: (title) => `Abgelaufen: ${title}`,
    heading: (title) => `Die Frist für «${title}» ist abgelaufen`,
    until: (date) => `Unterschreiben konnte man bis am ${date}.`,
    signer: (sender) =>
      `Niemand kann mehr unterschreiben. Wird es noch gebraucht, kann ${sender} eine neue Anfrage senden.`,
    follower: "Bis dahin hatten nicht alle unterschrieben, und nun kann es niemand mehr.",
  },
  expiringSoon: {
    subject: (date, title) => `Zu unterschreiben bis am ${date}: ${title}`,
    signerHeading: (date, title) => `Sie können «${title}» bis am ${date} unterschreiben`,
    signer: "Ihre Unterschrift fehlt noch. Nach diesem Tag kann niemand mehr unterschreiben.",
    followerHeading: (date, title) => `«${title}» kann bis am ${date} unterschrieben werden`,
    follower: "Es haben noch nicht alle unterschrieben. Nach diesem Tag kann es niemand mehr.",
    open: "Lesen und unterschreiben",
  },
  observerAdded: {
    subject: (sender, title) => `${sender} lässt Sie mitlesen: ${title}`,
    heading: (sender, title) => `${sender} lässt Sie bei «${title}» mitlesen`,
    text: "Sie beobachten, Sie unterschreiben nicht: Sie dürfen die Anfrage und ihre Dokumente lesen, und wir schreiben Ihnen, wenn sie zu Ende ist.",
    open: "Anfrage ansehen",
  },
  code: {
    subject: (title, code) => `Ihr Code für «${title}»: ${code}`,
    heading: (code) => `Ihr Code ist ${code}`,
    text: (sender, title) =>
      `Geben Sie ihn auf der Seite ein, auf der Sie «${title}» von ${sender} geöffnet haben. Er zeigt, dass dieses Postfach Ihnen gehört.`,
    lasts: "Er gilt 10 Minuten lang, und nur auf jener Seite.",
    nobody:
      "Nennen Sie ihn niemandem, auch nicht am Telefon: Niemand von uns und niemand beim Absender fragt danach.",
    unexpected:
      "Sie haben keinen Code verlangt? Dann hat jemand anderes die Seite geöffnet; ohne den Code lässt sich dort nichts tun.",
  },
  sentBy: (business) => `Gesendet von ${business} über Paraph.`,
  why: {
    signer: (sender) => `Sie erhalten diese E-Mail, weil ${sender} Sie um Ihre Unterschrift gebeten hat.`,
    follower: (sender) =>
      `Sie erhalten diese E-Mail, weil Sie bei einer Signaturanfrage von ${sender} mitlesen.`,
  },
}
