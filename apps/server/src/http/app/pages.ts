import { LANGUAGES, type Language } from "@paraph/core/language"
import { inWords } from "@paraph/mail/date-words"
import type { Shown } from "./branding.ts"
import { DOOR_CSS_PATH } from "./door-css.ts"
import { DOOR_WORDS, type DoorWords, type Message } from "./door-words.ts"
import { type Html, html } from "./html.ts"
import { LANDING_SCRIPT_PATH } from "./landing-script.ts"
import { WORDMARK } from "./wordmark.ts"

/** What every page of the server's own has. */
export type Frame = {
  readonly language: Language
  readonly demo: boolean
  /** The same page in each language; null for one that is written in this one alone. */
  readonly addressIn: ((language: Language) => string) | null
  /** Whose page it is, where that is known. */
  readonly brand?: Shown & { readonly name: string }
}

export type Door = Frame & {
  readonly sender: string
  readonly title: string
  readonly message: string | null
  readonly documentCount: number
  /** The last day for signing, such as 2026-11-30. */
  readonly lastDay: string | null
  readonly signerEmail: string
  readonly postTo: string
  /** What the application will need, and what a browser may bring while the person reads. */
  readonly soon: readonly string[]
}

/** Sender and title may have 1024 characters each; beyond this many they are set smaller, and never cut. */
const LONG = 160

/**
 * What a link opens. Mail scanners and chat previews open it too, and run its scripts if it has any: so it has none,
 * shows nothing of the document, and only the press of a person (a POST) goes further.
 */
export function doorPage(door: Door): string {
  const { language, sender, title, message, signerEmail, postTo } = door
  const words = DOOR_WORDS[language]
  const said = message === null || message.trim() === "" ? null : message.trim()
  const long = sender.length + title.length > LONG
  return page(
    door,
    `${sender} ${words.asks} ${title}`,
    html`<h1${long ? html` class="long"` : null}><bdi>${sender}</bdi> ${words.asks} <bdi class="title">${title}</bdi></h1>
<p class="facts">${facts(door, words)}</p>
${said === null ? null : html`<p class="muted">${words.senderWrites}</p>\n<blockquote dir="auto">${said}</blockquote>`}
<p>${words.read}</p>
<form method="post" action="${postTo}"><button type="submit">${words.open}</button></form>
<p class="muted">${words.meantFor} <bdi>${signerEmail}</bdi> ${words.alone}</p>`,
    html`<p class="muted">${words.unexpected}</p>`,
    door.soon,
  )
}

/** Shown until the script has sent the secret of the fragment, and for good where there is no script. */
export function landingPage(frame: Frame): string {
  const { landing } = DOOR_WORDS[frame.language]
  const sheet = html`<h1>${landing.heading}</h1>
<p id="without-script" class="muted">${landing.withoutScript}</p>
<p id="failed" hidden>${landing.failed}</p>
<script type="module" src="${LANDING_SCRIPT_PATH}"></script>`
  return page({ ...frame, addressIn: null }, landing.heading, sheet, null)
}

const facts = ({ documentCount, lastDay, language }: Door, words: DoorWords): string =>
  [
    words.documents(documentCount),
    ...(lastDay === null ? [] : [words.until(inWords(lastDay, language))]),
  ].join(" · ")

/** A calm page with one thing to say, and at most one to press. */
export function messagePage(frame: Frame, { heading, text }: Message, press: Press | null = null): string {
  const form =
    press &&
    html`\n<form method="post" action="${press.postTo}"><button type="submit">${press.name}</button></form>`
  return page(frame, heading, html`<h1>${heading}</h1>\n<p>${text}</p>${form}`, null)
}

export type Press = { readonly postTo: string; readonly name: string }

/** `soon` holds names of our own files alone, so it is the same for everybody and tells nobody anything. */
function page(
  { language, demo, addressIn, brand }: Frame,
  title: string,
  sheet: Html,
  footer: Html | null,
  soon: readonly string[] = [],
): string {
  const words = DOOR_WORDS[language]
  // Its name is in the heading of most pages, but not of all.
  const logo = brand?.logo == null ? null : html`<img class="logo" src="${brand.logo}" alt="${brand.name}">`
  const document = html`<!doctype html>
<html lang="${words.tag}">
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
${brand?.style == null ? null : html`<link rel="stylesheet" href="${brand.style}">\n`}${soon.map((path) => html`<link rel="prefetch" href="${path}">\n`)}</head>
<body>
<header>
${demo ? html`<p class="test" role="note">${words.demo}</p>` : null}
<div class="mark">${logo ?? WORDMARK}${addressIn === null ? null : languageLinks(language, addressIn)}</div>
</header>
<main><div class="sheet">
${sheet}
</div></main>
${footer === null && logo === null ? null : html`<footer>${footer}${logo === null ? null : html`<p class="ours">${WORDMARK}</p>`}</footer>`}
</body>
</html>
`
  return document.html
}

/** Ordinary links: each opens the same page, and changes nothing. */
function languageLinks(current: Language, addressIn: (language: Language) => string): Html {
  const link = (language: Language) => {
    const { name, tag } = DOOR_WORDS[language]
    const mark = language === current ? html` aria-current="true"` : null
    const short = language.toUpperCase()
    return html`<a href="${addressIn(language)}" lang="${tag}" hreflang="${tag}" aria-label="${short} – ${name}" rel="nofollow"${mark}>${short}</a>`
  }
  return html`<nav aria-label="${DOOR_WORDS[current].languages}">${LANGUAGES.map(link)}</nav>`
}
