// `npm run build`: the page as one file, which needs nothing but a browser.

import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A browser runs and shows what has these digests, and asks nobody for anything. */
export function policyFor(script: string, style: string): string {
  const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
  return [
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ")
}

export async function writePage(): Promise<string> {
  const built = await bundle(here("../main.ts"), "iife")
  // Inside a page this would end the script; in a string or a pattern it means the same.
  const script = built.replaceAll(/<\/script/gi, "<\\/script").replaceAll("<!--", "<\\!--")
  const style = readFileSync(here("../page.css"), "utf8")
  const template = readFileSync(here("../page.html"), "utf8")
  return [
    ["{{policy}}", policyFor(script, style)],
    ["<style></style>", `<style>${style}</style>`],
    ["<script></script>", `<script>${script}</script>`],
  ].reduce((page, [place = "", text = ""]) => {
    if (page.split(place).length !== 2) throw new Error(`${place} is not in the page once.`)
    return page.replace(place, () => text)
  }, template)
}

if (import.meta.main) {
  mkdirSync(here("../../dist"), { recursive: true })
  writeFileSync(here("../../dist/verify.html"), await writePage())
}
