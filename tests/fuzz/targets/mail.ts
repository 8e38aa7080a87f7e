// Somebody else's words in what we write to people: a mail, a text message, and the page behind a link. Read back by a parser of
// mails and one of HTML, it has no header, no tag and no link more than with harmless words.

import { LANGUAGES } from "@paraph/core/language"
import PostalMime from "postal-mime"
import { ELEMENT_NODE, type Node, parse, TEXT_NODE, walkSync } from "ultrahtml"
import { doorPage } from "../../../apps/server/src/http/app/pages.ts"
import { composed } from "../../../packages/gateways/src/smtp/testing/composed.ts"
import { septetsOf } from "../../../packages/mail/src/gsm.ts"
import { type Invitation, invitation } from "../../../packages/mail/src/invitation.ts"
import { smsCode } from "../../../packages/mail/src/sms-code.ts"
import { must, type Target } from "../target.ts"
import { inText, Nothing, texts } from "../texts.ts"

const LINK = "https://sign.example/sign/5a3f"
const WORDS = [
  ...[
    "\r\nBcc: eve@evil.example\r\n",
    "\n.\r\n",
    "<script>",
    "</td>",
    "<a href=",
    "&lt;",
    "&#x3c;",
    "<!--",
    "-->",
    "=?utf-8?q?=0a?=",
  ],
  ...[
    "https://evil.example/",
    "www.evil.example",
    "eve@evil.example",
    "evil。example",
    "\u202e",
    "\u2028",
    "javascript:",
    LINK,
  ],
  ...[
    '"',
    "'",
    "`",
    "=",
    "http:\\\\evil.example",
    "\ud83d",
    "\u0000",
    "]]>",
    "{{7*7}}",
    "$&",
    "cid:",
    "<img src=x>",
  ],
]
const SEEDS = texts(
  "Acme AG\nLease.pdf\nPlease sign until Friday.\nThank you",
  "Müller & Söhne\nVertrag <b>wichtig</b>\nSee https://acme.example/terms or mail to info@acme.example.",
  "A\nB\n",
  "Acme\r\nBcc: eve@evil.example\nx\n=?utf-8?B?QUJD?=",
  "\u202eAcme\n合同\n\u2028\u2029\u0085",
)

type Said = { readonly sender: string; readonly title: string; readonly message: string }

/** Three texts; the last one may have lines of its own. What is longer than a body may hold never comes here. */
function said(input: Uint8Array): Said {
  const [sender = "", title = "", ...rest] = inText(input).split("\n")
  const message = rest.join("\n")
  if (sender.trim() === "" || title === "" || [sender, title, message].some((one) => one.length > 1024))
    throw new Nothing("not by the schema")
  return { sender, title, message }
}

const invited = ({ sender, title, message }: Said, language: Invitation["language"]): Invitation => ({
  letter: "invitation",
  language,
  sender,
  creator: null,
  title,
  message,
  link: LINK,
  demo: false,
  documentCount: 1,
  quality: "SES",
  lastDay: "2026-11-30",
  invitedOn: null,
  theirTurnIsLater: false,
})

const HARMLESS: Said = { sender: "Acme", title: "Lease", message: "Hello" }
const FROM = "Paraph <no-reply@sign.example>"

async function readBack(words: Said, language: Invitation["language"]) {
  const { subject, text, html } = invitation(invited(words, language))
  const mail = {
    to: "ada@example.org",
    subject,
    text,
    html,
    onBehalfOf: words.sender,
    messageId: "<m1@sign.example>",
  }
  return { subject, parsed: await PostalMime.parse(await composed(mail, FROM)) }
}

const squeezed = (text: string): string => text.replace(/\s+/gu, " ").trim()

const usuals = new Map<string, Awaited<ReturnType<typeof readBack>>["parsed"]>()

async function usualIn(language: Invitation["language"]) {
  const known = usuals.get(language) ?? (await readBack(HARMLESS, language)).parsed
  usuals.set(language, known)
  return known
}

/** What makes links of texts looks for these. */
const LINKED = /(?:https?:\/\/|www\.)[\p{L}\p{N}]|[\p{L}\p{N}._%+-]@[\p{L}\p{N}-]+\.[\p{L}]/giu

export const mails: Target = {
  name: "mail",
  kind: "words",
  words: WORDS,
  seeds: () => SEEDS,
  refusals: [Nothing],
  run: async (input) => {
    const words = said(input)
    const language = LANGUAGES[input.length % LANGUAGES.length] ?? "en"
    const { subject, parsed } = await readBack(words, language)
    const usual = await usualIn(language)
    const names = (mail: typeof parsed) =>
      mail.headers
        .map(({ key }) => key)
        .sort()
        .join()
    must(names(parsed) === names(usual), "nobody adds a header")
    must(parsed.to?.length === 1 && parsed.to[0]?.address === "ada@example.org", "it goes to one person")
    must(parsed.from?.address === "no-reply@sign.example" && !parsed.cc && !parsed.bcc, "and comes from us")
    must(/(^| via )Paraph$/.test(parsed.from?.name ?? ""), "whoever asks, we say that we carry it")
    must(
      !/[\p{Cc}\u2028\u2029\u202a-\u202e]/u.test(parsed.subject ?? ""),
      "a subject is one line, in one direction",
    )
    const read = (parsed.subject ?? "").replaceAll("=\u200c?", "=?")
    must(squeezed(read) === squeezed(subject), "a subject is read as it was written")
    must(parsed.attachments.length === 0, "nothing is attached")
    const text = (parsed.text ?? "").replaceAll(LINK, "")
    must(!LINKED.test(text.replaceAll("\u200c", "\u0000")), "nobody's words become a link")
    mustBeLike(parsed.html ?? "", usual.html ?? "", new Set([LINK]))
    return language
  },
}

type Element = { readonly name: string; readonly attributes: Readonly<Record<string, string>> }

function elementsIn(html: string): readonly Element[] {
  const found: Element[] = []
  walkSync(parse(html), (node: Node) => {
    if (node.type === ELEMENT_NODE) found.push({ name: node.name, attributes: node.attributes })
  })
  return found
}

/** The same elements with the same attributes, but for line breaks of a quotation. */
function mustBeLike(html: string, usual: string, addresses: ReadonlySet<string>): void {
  const shape = (text: string) =>
    elementsIn(text)
      .filter(({ name }) => !["br", "blockquote", "p", "h1"].includes(name))
      .map(({ name, attributes }) => `${name} ${Object.keys(attributes).sort().join(" ")}`)
      .join("\n")
  must(shape(html) === shape(usual), "nobody adds a tag or an attribute")
  for (const { attributes } of elementsIn(html))
    for (const name of ["href", "src", "action"]) {
      const address = attributes[name]
      must(
        address === undefined || address.startsWith("/") || addresses.has(address),
        "and no address but ours",
      )
    }
}

const door = ({ sender, title, message }: Said) =>
  doorPage({
    language: "en",
    demo: true,
    addressIn: (language) => `/sign/t?lang=${language}`,
    sender,
    title,
    message,
    documentCount: 1,
    lastDay: null,
    signerEmail: "ada@example.org",
    postTo: "/sign/t",
    soon: ["/app/a.js"],
  })

export const doorPages: Target = {
  name: "door-page",
  kind: "words",
  words: WORDS,
  seeds: () => SEEDS,
  refusals: [Nothing],
  run: (input) => {
    const words = said(input)
    const html = door(words)
    mustBeLike(html, door(HARMLESS), new Set())
    must(!html.includes("\0") && html.isWellFormed(), "it is text that every browser reads alike")
    const shown: string[] = []
    walkSync(parse(html), (node: Node) => {
      if (node.type === ELEMENT_NODE && node.name === "bdi" && node.attributes.class === "title")
        shown.push(...node.children.map((child: Node) => (child.type === TEXT_NODE ? child.value : "<?>")))
    })
    must(unescaped(shown.join("")) === words.title.replaceAll("\0", "\uFFFD"), "the title is shown as it is")
    return `${words.message.trim() === ""}`
  },
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

export const smsTexts: Target = {
  name: "sms-text",
  kind: "words",
  words: [...WORDS, "evil.example", "ö", "€", "ß", "Ω", "{}", "１", "．"],
  seeds: () =>
    texts(
      "Acme AG",
      "Müller & Söhne",
      "evil.example",
      "合同",
      "A.B.C. Treuhand",
      "€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€€",
      "1",
    ),
  refusals: [Nothing],
  run: (input) => {
    const sender = inText(input)
    const told = LANGUAGES.flatMap((language) =>
      (["mailbox", "release"] as const).map((purpose) =>
        smsCode({ language, purpose, sender, demo: true, code: "123456" }),
      ),
    )
    for (const text of told) {
      const septets = septetsOf(text)
      must(septets !== null && septets <= 160, "one message holds it all")
      must(text.startsWith("123456"), "the code comes first")
      must(!/[A-Za-z0-9][.:@/\\][A-Za-z0-9]/.test(text), "nothing in it becomes a link")
      must(!/[\r\n\f]/.test(text), "it is one line")
    }
    const harmless = smsCode({ language: "en", purpose: "mailbox", sender: "", demo: true, code: "123456" })
    if (told[0] === harmless) throw new Nothing("no name in these letters")
    return `${told.some((text) => (septetsOf(text) ?? 0) > 150)}`
  },
}
