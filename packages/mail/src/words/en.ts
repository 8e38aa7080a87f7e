import type { Words } from "./words.ts"

export const en: Words = {
  demo: "TEST – no legal effect",
  invitation: {
    subject: (sender, title) => `${sender} asks you to sign: ${title}`,
    heading: (sender, title) => `${sender} asks you to sign “${title}”`,
    documents: (count) =>
      count === 1 ? "There is one document to sign." : `There are ${count} documents to sign.`,
    read: "Read first, then decide. You need no account, and it takes a few minutes.",
    turnIsLater: "Others sign before you. We will write to you again when it is your turn.",
    messageFrom: (sender) => `${sender} writes:`,
    open: (documents) => (documents === 1 ? "View document" : "View documents"),
    openLater: "See the progress",
    linkHint: "If the button does not work, copy this address into your browser:",
    personalLink: "This link is meant for you alone. Please do not pass it on.",
    unexpected: (sender) =>
      `You did not expect this? Then do not open it, and ask ${sender} in a way that you know and trust. Nothing is signed unless you do it yourself.`,
    neverAsked: "We never ask for a password or a payment by e-mail.",
    deadline: (date) => `You can sign until ${date}.`,
    quality: {
      SES: "A simple electronic signature is asked for.",
      AES: "An advanced electronic signature is asked for; you confirm who you are when you sign.",
      QES: "A qualified electronic signature is asked for, which the law puts on a par with one by hand; your identity is checked for it.",
    },
    madeBy: (person) => `The request was made by ${person}.`,
  },
  yourTurn: {
    subject: (title) => `It is your turn to sign: ${title}`,
    heading: (title) => `It is your turn to sign “${title}”`,
    lead: (sender) => `Nobody is left to sign before you. ${sender} now asks for your signature.`,
  },
  reminder: {
    subject: (sender, title) => `${sender} reminds you to sign: ${title}`,
    heading: (sender, title) => `${sender} reminds you to sign “${title}”`,
    lead: (firstDate) => `We first wrote to you on ${firstDate}. Your signature is still missing.`,
  },
  completed: {
    subject: (title) => `Signed: ${title}`,
    byYou: (title) => `You have signed “${title}”`,
    byYouAndOthers: (title) => `Everyone has signed “${title}”`,
    byAll: (title) => `“${title}” has been signed by everyone`,
    byOne: (title) => `“${title}” has been signed`,
    protocol: "The signature protocol is attached: it tells step by step who signed what, when and how.",
    noProtocol: (sender) =>
      `The signature protocol could not be attached to this e-mail. ${sender} can get it from the service and give you a copy.`,
    attached: (count) =>
      count === 1 ? "The signed document is attached." : `The ${count} signed documents are attached.`,
    keep: (count) =>
      count === 1
        ? "Keep the PDF file itself: a printout does not hold the signatures."
        : "Keep the PDF files themselves: printouts do not hold the signatures.",
    tooLarge: (sender, count) =>
      count === 1
        ? `The signed document is too large for an e-mail. ${sender} has it and can give you a copy.`
        : `The ${count} signed documents are too large for an e-mail. ${sender} has them and can give you copies.`,
    notAttached: (sender, count) =>
      count === 1
        ? `${sender} has the signed document and can give you a copy.`
        : `${sender} has the ${count} signed documents and can give you copies.`,
  },
  declined: {
    subject: (title) => `Declined: ${title}`,
    heading: (who, title) => `${who} has declined to sign “${title}”`,
    byYou: (title) => `You have declined to sign “${title}”`,
    over: "The request has ended with this; nobody can sign it any more. There is nothing more for you to do.",
    reasonOf: (who) => `The reason that ${who} gave:`,
    yourReason: "The reason that you gave:",
  },
  withdrawn: {
    subject: (title) => `Withdrawn: ${title}`,
    heading: (sender, title) => `${sender} has withdrawn “${title}”`,
    signer:
      "Nobody can sign it any more, and earlier links lead nowhere. There is nothing more for you to do.",
    follower: "The request ended before everyone had signed. Nobody can sign it any more.",
  },
  expired: {
    subject: (title) => `Expired: ${title}`,
    heading: (title) => `The deadline for signing “${title}” has passed`,
    until: (date) => `It could be signed until ${date}.`,
    signer: (sender) =>
      `Nobody can sign it any more. Should it still be needed, ${sender} can send a new request.`,
    follower: "Not everyone had signed by then, and nobody can sign it any more.",
  },
  expiringSoon: {
    subject: (date, title) => `To be signed until ${date}: ${title}`,
    signerHeading: (date, title) => `You can sign “${title}” until ${date}`,
    signer: "Your signature is still missing. After that day nobody can sign any more.",
    followerHeading: (date, title) => `“${title}” can be signed until ${date}`,
    follower: "Not everyone has signed yet. After that day nobody can sign any more.",
    open: "Read and sign",
  },
  observerAdded: {
    subject: (sender, title) => `${sender} lets you follow: ${title}`,
    heading: (sender, title) => `${sender} lets you follow “${title}”`,
    text: "You observe, you do not sign: you may read the request and its documents, and we will write to you when it has ended.",
    open: "See the request",
  },
  code: {
    subject: (title, code) => `Your code for “${title}”: ${code}`,
    heading: (code) => `Your code is ${code}`,
    text: (sender, title) =>
      `Type it on the page on which you opened “${title}” of ${sender}. It shows that this mailbox is yours.`,
    lasts: "It is good for 10 minutes, and on that page only.",
    nobody:
      "Never tell it to anybody, by telephone neither: nobody of us and nobody at the sender asks for it.",
    unexpected:
      "You did not ask for a code? Then somebody else has opened the page; without the code they can do nothing there.",
  },
  sentBy: (business) => `Sent by ${business} through Paraph.`,
  why: {
    signer: (sender) => `You receive this e-mail because ${sender} asked you to sign.`,
    follower: (sender) => `You receive this e-mail because you follow a signature request of ${sender}.`,
  },
}
