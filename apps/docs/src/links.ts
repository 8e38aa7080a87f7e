import { existsSync } from "node:fs"
import { join, posix } from "node:path"
import { isHandedOut, type Paper, ROOT } from "./papers.ts"

/** Links between files become links between pages. One that leads out of the site (a source file) keeps its words and is none. */
export function rewriteLinks(html: string, from: string, pages: readonly Paper[]): string {
  const addressOf = addressesFrom(from, pages)
  return html
    .replaceAll(
      /<a href="([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g,
      (whole, href: string, more: string, words: string) => {
        const address = addressOf(href)
        if (address === null) return words
        return address === href ? whole : `<a href="${address}"${more}>${words}</a>`
      },
    )
    .replaceAll(
      /(<img\b[^>]*?\bsrc=")([^"]*)"/g,
      (_, before: string, src: string) => `${before}${addressOf(src) ?? src}"`,
    )
}

function addressesFrom(from: string, pages: readonly Paper[]): (href: string) => string | null {
  const slugs = new Map(pages.map(({ file, slug }) => [file, slug]))
  return (href) => {
    if (/^([a-z]+:|#|\/)/i.test(href)) return href
    const [path = "", anchor] = href.split("#")
    const file = posix.join(posix.dirname(from), decodeURI(path))
    const slug = slugs.get(file === "README.md" ? "docs/README.md" : file)
    const tail = anchor === undefined ? "" : `#${anchor}`
    if (slug !== undefined) return slug === "index" ? "/" : `/${slug}/${tail}`
    if (isHandedOut(file) && existsSync(join(ROOT, file))) return `/files/${file}`
    return null
  }
}
