import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Code, Nodes, Parents } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"

export const ROOT = resolve(import.meta.dirname, "../..")

/** A page of the documentation as it is written. */
export type Paper = { readonly file: string; readonly source: string; readonly nodes: readonly Nodes[] }

/** `patterns` are from the root of the checkout. */
export const papers = (...patterns: string[]): readonly Paper[] =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => path.includes("node_modules") })
    .sort()
    .map((file) => {
      const source = readFileSync(join(ROOT, file), "utf8")
      return { file, source, nodes: all(fromMarkdown(source)) }
    })

/** A fenced block of code. */
export type Block = {
  /** The page and the first line that says something: what the tables of the tests call it by. */
  readonly name: string
  readonly file: string
  readonly language: string
  /** What stands behind the language on the fence. */
  readonly meta: string
  readonly text: string
}

export const blocksOf = ({ file, nodes }: Paper): readonly Block[] =>
  nodes
    .filter((node): node is Code => node.type === "code" && (node.lang ?? "") !== "")
    .map(({ lang, meta, value }) => ({
      name: `${file}: ${value.split("\n").find((line) => line.trim() !== "") ?? ""}`,
      file,
      language: lang ?? "",
      meta: meta ?? "",
      text: value,
    }))

const all = (node: Nodes): readonly Nodes[] => [node, ...((node as Parents).children ?? []).flatMap(all)]
