import type { Words } from "./words.ts"

export const en: Words = {
  demo: "TEST – no legal effect",
  invitation: {
    subject: (sender, title) => `${sender} asks you to sign: ${title}`,
    heading: (sender, title) => `${sender} asks you to sign “${title}”`,
    documents: (count) => (count === 1 ? "There is one document." : `There are ${count} documents.`),
    read: "Read first, then decide. You need no account, and it takes a few minutes.",
    turnIsLater: "Others sign before you. We will write to you again when it is your turn.",
    messageFrom: (sender) => `${sender} writes:`,
    open: "View document",
    openLater: "See how far it is",
    linkHint: "If the button does not work, copy this address into your browser:",
    personalLink: "This link is meant for you alone. Please do not pass it on.",
    unexpected: (sender) =>
      `You did not expect this? Then do not open it, and ask ${sender} by a way you know. Nothing is signed unless you do it yourself.`,
    neverAsked: "We never ask for a password or a payment by e-mail.",
  },
}
