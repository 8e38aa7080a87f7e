import { existsSync } from "node:fs"
import { join, posix } from "node:path"
import { PROBLEM_TYPES, PROBLEMS } from "@paraph/contract/shared/problems"
import GitHubSlugger from "github-slugger"
import type { Nodes } from "mdast"
import { describe, expect, it } from "vitest"
import { type Paper, papers, ROOT } from "../service/papers.ts"

const ALL = papers(
  "*.md",
  "docs/**/*.md",
  "deploy/**/*.md",
  "openapi/*.md",
  "apps/*/README.md",
  "packages/*/README.md",
)

describe("the papers", () => {
  it("lead nowhere that is not there: 0 dead links, to files and to headings", () => {
    const anchors = new Map(ALL.map((paper) => [paper.file, anchorsOf(paper)]))
    const links = ALL.flatMap((paper) => linksOf(paper).map((link) => ({ from: paper.file, link })))
    const dead = links.filter(({ from, link }) => {
      const [path = "", anchor] = link.split("#")
      const file = path === "" ? from : posix.join(posix.dirname(from), decodeURI(path))
      if (!existsSync(join(ROOT, file))) return true
      return anchor !== undefined && anchors.get(file)?.has(anchor) !== true
    })
    expect(dead).toEqual([])
    expect(links.length).toBeGreaterThan(300)
  })

  it("begin with their title, and have one", () => {
    const untitled = ALL.filter(({ nodes }) => {
      const [first, ...more] = nodes.filter((node) => node.type === "heading").map(({ depth }) => depth)
      return first !== 1 || more.includes(1)
    })
    expect(untitled.map(({ file }) => file)).toEqual([])
  })

  it("have a guide with every type of problem under its own anchor, and every key", () => {
    const catalogue = ALL.find(({ file }) => file === "docs/guides/errors.md")
    if (catalogue === undefined) throw new Error("docs/guides/errors.md is gone.")
    const anchors = anchorsOf(catalogue)
    expect(PROBLEM_TYPES.filter((type) => !anchors.has(type))).toEqual([])
    const source = catalogue.source.replaceAll(/ +/g, " ")
    const rows = Object.values(PROBLEMS).filter(
      ({ key, status, title }) =>
        !source.includes(`| ${status} | ${key === undefined ? "" : `\`${key}\` `}| ${title} |`),
    )
    expect(rows).toEqual([])
  })
})

/** Those that lead to a file of ours: links, pictures, and both in HTML. */
function linksOf({ nodes }: Paper): readonly string[] {
  const written = nodes.flatMap((node) =>
    node.type === "link" || node.type === "image" || node.type === "definition" ? [node.url] : [],
  )
  const html = nodes.flatMap((node) => (node.type === "html" ? [node.value] : []))
  const inHtml = html.flatMap((text) =>
    [...text.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url),
  )
  return [...written, ...inHtml].filter((url) => !/^[a-z]+:/i.test(url))
}

/** As forges and the site write them. */
function anchorsOf({ nodes }: Paper): ReadonlySet<string> {
  const slugger = new GitHubSlugger()
  const headings = nodes.filter((node) => node.type === "heading")
  return new Set(headings.map((heading) => slugger.slug(wordsOf(heading))))
}

const wordsOf = (node: Nodes): string =>
  "value" in node ? node.value : "children" in node ? node.children.map(wordsOf).join("") : ""
