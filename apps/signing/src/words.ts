/** Every word the app says, in one place. */
export const words = {
  demo: "TEST – no legal effect",
  from: (sender: string) => `${sender} asks you to sign`,
  signingAs: (email: string) => `You sign as ${email}`,
  messageFrom: "The sender writes:",
  loading: "Your document is being opened …",

  preview: "This is a preview. To sign, please use the link in the e-mail that we sent to you.",
  read: {
    windowTitle: (title: string) => `To sign: ${title}`,
    facts: (pages: number, size: string) => `${pages === 1 ? "1 page" : `${pages} pages`} · ${size}`,
    documents: (count: number) => `${count} documents`,
    page: (number: number, count: number) => `Page ${number} of ${count}`,
    pageOf: (number: number, count: number, title: string) => `Page ${number} of ${count}, ${title}`,
    pageAlt: (number: number, title: string) => `Picture of page ${number} of ${title}`,
    pageFailed: (number: number) => `Page ${number} could not be loaded.`,
    retryPage: (number: number) => `Load page ${number} again`,
    original: "Open the original PDF",
    originalOf: (title: string) => `Open the original PDF of ${title}`,
    originalHint: "The pages above are pictures. For larger print or a screen reader, open the original PDF.",
    fingerprint: "Fingerprint of the file (SHA-256)",
    bar: "Sign or decline",
    continue: "Continue to sign",
    more: "More choices",
    download: "Download",
    downloadOf: (title: string) => `Download ${title}`,
    decline: "Decline …",
    signingFailed: "Your signature could not be completed. Please try again.",
  },

  confirm: {
    heading: "Your signature",
    name: "Your name",
    nameHint: "It becomes part of your signature in the PDF.",
    nameMissing: "Please type your name.",
    sign: "Sign",
    signing: "One moment …",
    back: "Go back",
  },

  working: {
    windowTitle: "Signing …",
    heading: "Your signature is being made",
    wait: "Please wait a moment. This usually takes a few seconds.",
    mayClose: "It takes a little longer today. You may close this window: your signature is made without it.",
  },

  done: {
    windowTitle: (title: string) => `Signed: ${title}`,
    heading: "You signed",
    stillToSign: (count: number) =>
      count === 1
        ? "One person still has to sign. You need do nothing more."
        : `${count} people still have to sign. You need do nothing more.`,
    finishing: "Everyone has signed. The document is being completed …",
    complete: "Everyone has signed. The document is complete.",
    keep: "Download it now and keep it: the file itself carries all signatures.",
    download: "Download signed document",
    downloadOf: (title: string) => `Download ${title}`,
  },

  decline: {
    heading: "Decline to sign",
    reason: "Why? (you may leave this empty)",
    reasonHint: (sender: string) => `${sender} will see what you write.`,
    length: (used: number, max: number) => `${used} of ${max} characters`,
    next: "Continue",
    sureHeading: "Decline for everyone?",
    sure: "This ends the request: nobody else can sign it any more, and it cannot be undone.",
    yes: "Decline for everyone – this ends the request",
    declining: "One moment …",
    back: "Go back",
  },

  calm: {
    declined: {
      heading: "This request was declined",
      text: "It has ended for everyone, and nobody can sign it any more. There is nothing more for you to do.",
    },
    notYourTurn: (count: number) => ({
      heading: "It is not your turn yet",
      text: `${count === 0 ? "Others sign" : count === 1 ? "One person signs" : `${count} people sign`} before you. We will write to you when it is your turn; until then you need do nothing.`,
    }),
    expired: {
      heading: "This request has expired",
      text: "Its last day has passed, so it can no longer be signed. If you still want to sign, please ask the sender for a new one.",
    },
    withdrawn: {
      heading: "This request was withdrawn",
      text: "The sender has taken it back. There is nothing more for you to do.",
    },
    failed: {
      heading: "This request could not be completed",
      text: "The document could not be signed, and the request has ended. Please ask the sender.",
    },
    ended: {
      heading: "This request has ended",
      text: "It can no longer be signed. If you think this is a mistake, please ask the sender.",
    },
    noSession: {
      heading: "Please open the link from your e-mail again",
      text: "For your safety this page closes after a while. The button in the e-mail brings you back; nothing is lost.",
    },
    trouble: {
      heading: "The document could not be opened",
      text: "This is not your fault. Please try again in a moment.",
      retry: "Try again",
    },
  },

  offline: {
    text: "You are offline. Nothing is lost; we go on when you are connected again.",
    retry: "Try again",
  },
  unreachable: "We could not reach the service. Please check your connection and try again.",
} as const
