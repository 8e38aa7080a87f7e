import { createHash } from "node:crypto"
import type { Block, Sign } from "@paraph/pades/paper-block"
import { type Html, html } from "../http/app/html.ts"
import { protocolBlocks } from "./blocks.ts"
import type { Shown } from "./shown.ts"
import { wordsOf } from "./words/of-language.ts"

/** The protocol as one page that needs nothing else: no script, no picture, its own style. */
export function writeProtocolPage(shown: Shown): string {
  const { language } = shown
  const words = wordsOf(language)
  const title = `${words.title} – ${shown.protocol.title}`
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: CSS }}</style>
</head>
<body>
<main>
${protocolBlocks(shown).map(blockHtml)}
</main>
</body>
</html>
`
  return page.html
}

/** What the page may do: show itself in its own style, and nothing else. */
export const protocolPolicy = (): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_SHA256}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const SIGNS: Readonly<Record<Sign, string>> = { good: "✓", unclear: "?", bad: "✕" }

function blockHtml(block: Block): Html {
  switch (block.type) {
    case "heading":
      return headingHtml(block)
    case "paragraph":
      return html`<p${block.look === "grey" ? { html: ' class="grey"' } : null}>${block.text}</p>
`
    case "verdict":
      return html`<div class="verdict ${block.sign}"><span class="sign" aria-hidden="true">${SIGNS[block.sign]}</span><div><p class="outcome">${block.heading}</p><p>${block.text}</p></div></div>
`
    case "rows":
      return html`<dl>${block.rows.map(({ label, text }) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>
`
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${item}</li>`)}</ul>
`
    // A protocol has neither.
    case "pictures":
    case "page":
      return { html: "" }
  }
}

function headingHtml({ level, text, sign }: Extract<Block, { type: "heading" }>): Html {
  const mark =
    sign === undefined ? null : html`<span class="sign ${sign}" aria-hidden="true">${SIGNS[sign]}</span> `
  if (level === 1) return html`<h1>${text}</h1>\n`
  return level === 2 ? html`<h2>${mark}${text}</h2>\n` : html`<h3>${text}</h3>\n`
}

const CSS = `
:root { color-scheme: light dark; --paper: #f6f3ec; --sheet: #fffdf8; --line: #ddd6c6; --ink: #1b2a4a; --muted: #545d73;
  --good: #17683a; --good-pale: #e6f3ea; --unclear: #7a5200; --unclear-pale: #fdf1d8; --bad: #a3201d; --bad-pale: #fbe9e7; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161f; --sheet: #1b2130; --line: #333c50; --ink: #e9ecf4; --muted: #a9b3c9;
  --good: #86d9a4; --good-pale: #16301f; --unclear: #ffd98a; --unclear-pale: #362a10; --bad: #ffb0a8; --bad-pale: #3b1a18; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: clamp(1rem, 4vw, 3rem); background: var(--sheet); min-height: 100vh; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font: 600 clamp(1.5rem, 1.2rem + 1.6vw, 2rem)/1.25 "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, serif; }
h2 { margin: 2.25rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.25rem; line-height: 1.3; break-after: avoid; }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem; break-after: avoid; }
p { margin: 0 0 .75rem; }
.grey { color: var(--muted); font-size: .9375rem; }
.verdict { display: flex; gap: 1rem; align-items: center; margin: 1.25rem 0; padding: 1rem 1.25rem; border-left: 4px solid; break-inside: avoid; }
.verdict p { margin: 0; color: var(--ink); }
.verdict .outcome { font-size: 1.25rem; font-weight: 600; color: inherit; }
.verdict .sign { font-size: 1.75rem; font-weight: 700; }
.good { color: var(--good); } .verdict.good { background: var(--good-pale); }
.unclear { color: var(--unclear); } .verdict.unclear { background: var(--unclear-pale); }
.bad { color: var(--bad); } .verdict.bad { background: var(--bad-pale); }
dl { margin: 0 0 1rem; }
dl > div { display: grid; grid-template-columns: 12rem 1fr; gap: 0 1rem; padding: .2rem 0; break-inside: avoid; }
dt { color: var(--muted); font-variant-numeric: tabular-nums; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
li { margin-bottom: .4rem; }
@media (max-width: 40rem) { dl > div { grid-template-columns: 1fr; padding: .35rem 0; } dt { font-size: .875rem; } }
@media print { :root { color-scheme: light; } body, main { background: #fff; } main { max-width: none; padding: 0; } }
`

const STYLE_SHA256 = createHash("sha256").update(CSS).digest("base64")
