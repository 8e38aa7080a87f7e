import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Loader, LoaderContext } from "astro/loaders"
import { rewriteLinks } from "./links.ts"
import { type Paper, papers, ROOT } from "./papers.ts"

/** The pages of the checkout. They have no front matter, so that they read well on a forge: the title is the first heading. */
export function paperLoader(): Loader {
  return {
    name: "papers",
    load: async (context) => {
      const pages = papers()
      context.store.clear()
      for (const page of pages) await load(context, page, pages)
    },
  }
}

async function load(context: LoaderContext, { file, slug }: Paper, pages: readonly Paper[]): Promise<void> {
  const source = readFileSync(join(ROOT, file), "utf8")
  const { title, body } = titleAndBody(source, file)
  const data = await context.parseData({
    id: slug,
    filePath: join(ROOT, file),
    data: { title, description: firstSentence(body), ...(slug === "index" ? HOME : {}) },
  })
  const rendered = await context.renderMarkdown(body, { fileURL: pathToFileURL(join(ROOT, file)) })
  context.store.set({
    id: slug,
    data,
    body,
    filePath: `../../${file}`,
    digest: context.generateDigest(source),
    rendered: { ...rendered, html: reachable(rewriteLinks(rendered.html, file, pages)) },
  })
}

/** A wide table scrolls on a phone, and must do so by the keyboard too (WCAG 2.1.1). */
const reachable = (html: string): string => html.replaceAll("<table>", '<table tabindex="0">')

/** Comments above the title are for tools. */
export function titleAndBody(source: string, file: string): { title: string; body: string } {
  const [whole, title] = /^(?:\s*<!--[\s\S]*?-->)*\s*# (.+)\n/.exec(source) ?? []
  if (whole === undefined || title === undefined) throw new Error(`${file} does not begin with a heading.`)
  return { title: plain(title), body: source.slice(whole.length) }
}

/** For search engines and lists of pages. */
function firstSentence(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((each) => /^\s*[\p{L}`*[_]/u.test(each)) ?? ""
  const words = plain(paragraph.replaceAll(/\s+/g, " ").trim())
  return (/^.{20,}?[.:!?](?= |$)/.exec(words)?.[0] ?? words).replace(/:$/, ".").slice(0, 200)
}

const plain = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, "")

const HOME = {
  template: "splash",
  hero: {
    tagline:
      "Electronic signatures in your own house: an interface for programs, a page for people, and proof for everybody else.",
    actions: [
      { text: "A signed PDF in five minutes", link: "/quickstart/", icon: "right-arrow" },
      { text: "I was asked to sign", link: "/signers/asked-to-sign/", variant: "secondary" },
    ],
  },
}
