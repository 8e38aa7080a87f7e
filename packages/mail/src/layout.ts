import type { Shades } from "@paraph/core/branding/shades"
import type { Language } from "@paraph/core/language"
import { type MailBrand, type MailLogo, OURS } from "./brand.ts"
import { oneLine, shortened } from "./foreign-words.ts"

/** What a mail is made of before it is dressed: once as plain text, once as html. */
export type Letter = {
  readonly language: Language
  readonly banner: string | null
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly quote: { readonly label: string; readonly lines: readonly string[] } | null
  /** The one link, and what to do where its button does not work; null for a mail that asks for nothing. */
  readonly button: { readonly label: string; readonly link: string; readonly hint: string } | null
  readonly small: readonly string[]
}

/** The languages are written as Switzerland writes them ("ss", « »), and the tag says so. */
const TAGS = { en: "en", de: "de-CH", fr: "fr-CH", it: "it-CH" } as const satisfies Record<Language, string>

export function letterAsText(letter: Letter): string {
  const quote = letter.quote
  const parts = [
    "Paraph",
    letter.banner === null ? null : `*** ${letter.banner} ***`,
    letter.heading,
    ...letter.paragraphs,
    quote === null ? null : `${quote.label}\n${quote.lines.map((line) => `> ${line}`.trimEnd()).join("\n")}`,
    letter.button === null ? null : `${letter.button.label}\n${letter.button.link}`,
    "--",
    ...letter.small,
  ]
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`
}

/**
 * Tables and attributes, because that is what mail programs of all ages understand. No image but one that is in the mail
 * itself, no font and no address but the one link: opening the mail tells nobody anything.
 */
export function letterAsHtml(letter: Letter, brand: MailBrand | null = null): string {
  const language = TAGS[letter.language]
  const shades = brand?.shades ?? OURS
  const logo = brand?.logo ?? null
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(held(text))}</p>`
  const small = (text: string) => `<p style="margin:0 0 8px">${escapeHtml(held(text))}</p>`
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(letter.heading)}</title>
<style>${dark(shades)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:#f6f3ec;color:#1b2a4a">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;table-layout:fixed">
${logo === null ? ourMark(shades) : theirMark(logo)}
${banner(letter.banner)}<tr><td class="sheet ink" style="${SANS}padding:28px 24px ${letter.button === null ? 12 : 28}px;background-color:#fffdf8;border:1px solid #ddd6c6;border-radius:10px;font-size:16px;line-height:1.5;color:#1b2a4a;word-break:break-word;overflow-wrap:anywhere">
<h1 style="${SERIF}margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600">${escapeHtml(held(letter.heading))}</h1>
${letter.paragraphs.map(paragraph).join("\n")}
${quote(letter.quote, shades)}${button(letter.button, shades)}</td></tr>
<tr><td class="muted" style="${SANS}padding:20px 8px 0;font-size:14px;line-height:1.5;color:#545d73;word-break:break-word;overflow-wrap:anywhere">
${letter.small.map(small).join("\n")}
</td></tr>${logo === null ? "" : OUR_FOOT}
</table>
</td></tr></table>
</body>
</html>
`
}

/** A date is not torn apart at the end of a line, and neither is an "e-mail". */
const held = (text: string): string =>
  text
    .replace(/\b(\d{1,2}(?:er|[.º])?) (\p{L}+) (?=\d{4}\b)/gu, "$1\u00A0$2\u00A0")
    .replace(/\b(e)-(mail)\b/giu, "$1\u2011$2")

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

const SANS = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
const SERIF = "font-family:'Iowan Old Style',Palatino,'Palatino Linotype',Georgia,serif;"

/** Mail programs that know the dark scheme take these; the others keep the attributes. */
const dark = ({ dark: { accent, on } }: Shades): string => `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:#12161f!important}
.sheet{background-color:#1b2130!important;border-color:#333c50!important}
.ink{color:#e9ecf4!important}
.muted{color:#a9b3c9!important}
.mark{color:${accent}!important}
.quote{border-color:${accent}!important}
.test{background-color:#3d3010!important;color:#ffe29a!important}
.press{background-color:${accent}!important}
.press a{color:${on}!important}
}`

const ourMark = ({ light }: Shades): string =>
  `<tr><td class="mark" style="${SERIF}padding:0 8px 16px;font-size:22px;font-style:italic;color:${light.accent}">Paraph</td></tr>`

const LOGO = { width: 200, height: 48 }
const NAME_MAX = 80

/** On white, whatever the scheme of the reader is: that is the ground it was made for. */
function theirMark({ contentId, name, width, height }: MailLogo): string {
  const scale = Math.min(LOGO.width / width, LOGO.height / height, 1)
  const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`
  const style = `${SANS}display:block;border:0;font-size:16px;font-weight:600;color:#1b2a4a`
  const image = `<img src="cid:${escapeHtml(contentId)}" ${size} alt="${escapeHtml(shortened(oneLine(name), NAME_MAX))}" style="${style}">`
  return `<tr><td style="padding:0 0 16px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#ffffff" style="padding:8px 12px;background-color:#ffffff;border:1px solid #ddd6c6;border-radius:10px">${image}</td></tr></table></td></tr>`
}

const OUR_FOOT = `
<tr><td class="muted" style="${SERIF}padding:12px 8px 0;font-size:16px;font-style:italic;color:#545d73">Paraph</td></tr>`

function banner(text: string | null): string {
  if (text === null) return ""
  const style = `${SANS}padding:10px 16px;background-color:#ffe9a8;color:#4d3800;font-size:15px;font-weight:600;text-align:center;border-radius:10px`
  return `<tr><td class="test" style="${style}">${escapeHtml(text)}</td></tr>
<tr><td style="height:12px;line-height:12px;font-size:12px">&nbsp;</td></tr>
`
}

function quote(quoted: Letter["quote"], { light }: Shades): string {
  if (quoted === null) return ""
  const lines = quoted.lines.map(escapeHtml).join("<br>")
  return `<p class="muted" style="margin:0 0 6px;font-size:14px;color:#545d73">${escapeHtml(quoted.label)}</p>
<blockquote class="quote" dir="auto" style="margin:0 0 20px;padding:2px 0 2px 14px;border-left:3px solid ${light.accent}">${lines}</blockquote>
`
}

function button(pressed: Letter["button"], { light }: Shades): string {
  if (pressed === null) return ""
  const { label, link, hint } = pressed
  const style = `${SANS}display:block;padding:14px 28px;font-size:17px;font-weight:600;line-height:20px;color:${light.on};text-decoration:none`
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 0"><tr><td class="press" style="background-color:${light.accent};border-radius:8px"><a href="${escapeHtml(link)}" style="${style}">${escapeHtml(label)}</a></td></tr></table>
<p class="muted" style="margin:20px 0 0;font-size:14px;color:#545d73">${escapeHtml(hint)}<br><a class="mark" href="${escapeHtml(link)}" style="color:${light.accent};word-break:break-all">${escapeHtml(link)}</a></p>
`
}
