import { DOOR_CSS_PATH } from "./door-css.ts"
import { type Html, html } from "./html.ts"
import { WORDMARK } from "./wordmark.ts"

export type Door = {
  readonly sender: string
  readonly title: string
  readonly message: string | null
  readonly demo: boolean
  readonly signerEmail: string
  readonly postTo: string
}

export type Message = { readonly heading: string; readonly text: string; readonly demo?: boolean }

/** Sender and title may have 1024 characters each; beyond this many they are set smaller, and never cut. */
const LONG = 160

/**
 * What a link opens. Mail scanners and chat previews open it too, and run its scripts if it has any: so it has none,
 * shows nothing of the document, and only the press of a person (a POST) goes further.
 */
export function doorPage({ sender, title, message, demo, signerEmail, postTo }: Door): string {
  const words = message === null || message.trim() === "" ? null : message.trim()
  const long = sender.length + title.length > LONG
  return page(
    `${sender} asks you to sign ${title}`,
    demo,
    html`<h1${long ? html` class="long"` : null}><bdi>${sender}</bdi> asks you to sign <bdi class="title">${title}</bdi></h1>
${words === null ? null : html`<p class="muted">The sender writes:</p>\n<blockquote dir="auto">${words}</blockquote>`}
<p>Read the document first, then decide. You need no account.</p>
<form method="post" action="${postTo}"><button type="submit">Open document</button></form>
<p class="muted">This link is meant for <bdi>${signerEmail}</bdi> alone.</p>`,
    html`<p class="muted">You did not expect this? Close this page and ask the sender by a way you know. Nothing is signed unless you do it yourself.</p>`,
  )
}

/** A calm page with one thing to say, where there is nothing to press. */
export function messagePage({ heading, text, demo = false }: Message): string {
  return page(heading, demo, html`<h1>${heading}</h1>\n<p>${text}</p>`, null)
}

/** What the door says when it stays closed. */
export const MESSAGES = {
  /** An unknown link and a wrong one read the same, so guessing teaches nothing. */
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
  declined: {
    heading: "This request was declined",
    text: "It has ended for everyone, and nobody can sign it any more. There is nothing more for you to do.",
  },
  ended: {
    heading: "This request has ended",
    text: "It can no longer be signed. If you think this is a mistake, please ask the sender.",
  },
} as const satisfies Record<string, Message>

/** How many come first is told, who they are is not. */
export function notYourTurn(waitingFor: number): Message {
  const others =
    waitingFor === 0 ? "Others sign" : waitingFor === 1 ? "One person signs" : `${waitingFor} people sign`
  return {
    heading: "It is not your turn yet",
    text: `${others} before you. We will write to you when it is your turn; until then you need do nothing.`,
  }
}

function page(title: string, demo: boolean, sheet: Html, footer: Html | null): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="/app/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${DOOR_CSS_PATH}">
</head>
<body>
<header>
${demo ? html`<p class="test" role="note">TEST – no legal effect</p>` : null}
<div class="mark">${WORDMARK}</div>
</header>
<main><div class="sheet">
${sheet}
</div></main>
${footer === null ? null : html`<footer>${footer}</footer>`}
</body>
</html>
`
  return document.html
}
