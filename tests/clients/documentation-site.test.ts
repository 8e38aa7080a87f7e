import { execFile } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { ELEMENT_NODE, type Node, parse, walkSync } from "ultrahtml"
import { beforeAll, describe, expect, it } from "vitest"
import { papers, ROOT } from "../service/papers.ts"

const SITE = join(ROOT, "apps/docs/dist")

type Page = {
  readonly links: readonly string[]
  readonly loads: readonly string[]
  readonly ids: ReadonlySet<string>
}
const pages = new Map<string, Page>()

beforeAll(async () => {
  const options = { cwd: ROOT, maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: "1" } }
  await promisify(execFile)("npm", ["run", "-s", "docs"], options)
  for (const file of globSync("**/*.html", { cwd: SITE }))
    pages.set(`/${file.replace(/index\.html$/, "")}`, read(readFileSync(join(SITE, file), "utf8")))
}, 900_000)

describe("the documentation as a site", () => {
  it.each([
    ["v1.swagger.json", "v1"],
    ["v2.json", "v2"],
    ["v3.json", "v3"],
    ["validation-v1.json", "validation-v1"],
  ])("has a page for every operation of %s", (file, base) => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, "openapi", file), "utf8"))
    const operations = Object.values<Record<string, { operationId?: string }>>(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId }) => operationId ?? [])
    expect(operations.length).toBeGreaterThan(10)
    const missing = operations.filter(
      (operation) => !pages.has(`/reference/${base}/operations/${operation.toLowerCase()}/`),
    )
    expect(missing).toEqual([])
  })

  it("leads nowhere that is not there: 0 dead links, to pages, files and headings", () => {
    const dead = [...pages].flatMap(([from, { links, loads }]) =>
      [...links, ...loads].filter((link) => isDead(from, link)).map((link) => `${from} → ${link}`),
    )
    expect([dead.length, [...new Set(dead)].slice(0, 20)]).toEqual([0, []])
    expect(pages.size).toBeGreaterThan(500)
  })

  it("asks no other host for anything", () => {
    const elsewhere = [...pages].flatMap(([from, { loads }]) =>
      loads.filter((address) => /^(https?:)?\/\//.test(address)).map((address) => `${from} → ${address}`),
    )
    expect(elsewhere).toEqual([])
    const styles = globSync("**/*.css", { cwd: SITE }).filter((file) =>
      /url\(\s*["']?(https?:)?\/\/|@import\s+["']https?:/.test(readFileSync(join(SITE, file), "utf8")),
    )
    expect(styles).toEqual([])
  })

  it("tells signers in four languages, each in their own words", () => {
    for (const name of ["asked-to-sign", "signing", "afterwards"]) {
      const titles = ["", "/de", "/fr", "/it"].map((language) => {
        const html = readFileSync(join(SITE, `${language}/signers/${name}/index.html`), "utf8")
        expect(html).toMatch(new RegExp(`<html lang="${language.slice(1) || "en"}`))
        return /<h1[^>]*>([^<]+)/.exec(html)?.[1]
      })
      expect(new Set(titles).size).toBe(4)
    }
  })

  it("lists every page somewhere beside its text", () => {
    const listed = new Set([...pages.values()].flatMap(({ links }) => links))
    const lonely = [...pages.keys()].filter(
      (page) => !/^\/(de|fr|it)\/|^\/(404\.html)?$/.test(page) && !listed.has(page),
    )
    expect(lonely).toEqual([])
  })

  it("names every guide in llms.txt, and has their text in llms-full.txt", () => {
    const [short, full] = ["llms.txt", "llms-full.txt"].map((file) => readFileSync(join(SITE, file), "utf8"))
    for (const { file } of papers("docs/guides/*.md", "docs/howto/*.md")) {
      const address = `/${file.replace(/^docs\//, "").replace(/\.md$/, "")}/`
      expect(short).toContain(`(${address})`)
      expect(full).toContain(`Address: ${address}\n`)
    }
  })
})

/** What a page links to, what a browser fetches for it by itself, and which places in it have a name. */
function read(html: string): Page {
  const [links, loads, ids] = [[] as string[], [] as string[], new Set<string>()]
  walkSync(parse(html), (node: Node) => {
    if (node.type !== ELEMENT_NODE) return
    const { id, href, src } = node.attributes as Record<string, string | undefined>
    if (id !== undefined) ids.add(id)
    if (node.name === "a" && href !== undefined) links.push(unescaped(href))
    if (node.name === "link" && href !== undefined && node.attributes.rel !== "canonical") loads.push(href)
    if (src !== undefined) loads.push(unescaped(src))
  })
  return { links, loads, ids }
}

function isDead(from: string, link: string): boolean {
  if (/^(https?:|mailto:|data:)/.test(link)) return false
  const { pathname, hash } = new URL(link, `http://site${from}`)
  const path = decodeURI(pathname)
  const page = pages.get(path)
  if (page === undefined) return path.endsWith("/") || !existsSync(join(SITE, path))
  return hash !== "" && hash !== "#_top" && !page.ids.has(decodeURIComponent(hash.slice(1)))
}

const unescaped = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("&#38;", "&")
