import { existsSync, globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { securityNamings } from "../../scripts/requirements/titles.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const PAGE = "docs/security/asvs.md"
const page = readFileSync(resolve(ROOT, PAGE), "utf8")
/** OWASP ASVS 5.0.0, levels 1 and 2, counted in its own list. */
const LINES = { L1: 70, L2: 183 }
const VERDICTS = ["met", "not met", "not applicable", "the operator's"]
const ASKED = Array.from({ length: 45 }, (_, at) => `R${String(at + 1).padStart(2, "0")}`)

type Row = { readonly id: string; readonly cells: readonly string[] }
const rowsOf = (id: RegExp): readonly Row[] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([, first = ""]) => id.test(first))
    .map(([, first = "", ...cells]) => ({ id: first, cells: cells.slice(0, -1) }))

const asvs = rowsOf(/^\d+\.\d+\.\d+$/).filter(({ cells }) => /^L\d$/.test(cells[0] ?? ""))
const ours = rowsOf(/^R\d\d$/)

const tests = globSync("{apps,packages,scripts,tests}/**/*.test.{ts,tsx}", {
  cwd: ROOT,
  exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
})
const named = tests.flatMap((path) =>
  securityNamings(readFileSync(resolve(ROOT, path), "utf8")).map(({ name }) => ({ name, path })),
)

describe("what was asked of security", () => {
  it("is named in titles by an id that there is", () => {
    expect(named.length).toBeGreaterThan(90)
    expect(named.filter(({ name }) => !ASKED.includes(name))).toEqual([])
  })

  it("has a test with its id, or a line that says why not; and a line in any case", () => {
    expect(ours.map(({ id }) => id)).toEqual(ASKED)
    for (const { id, cells } of ours) {
      const [, told = "", why = ""] = cells
      const has = [...new Set(named.filter(({ name }) => name === id).map(({ path }) => path))].sort()
      const listed = [...told.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, path = ""]) => path).sort()
      // The page lists exactly the files whose titles carry the id, so neither can be changed alone.
      expect([id, listed]).toEqual([id, has])
      expect([id, has.length > 0 || why.length > 20]).toEqual([id, true])
    }
  })
})

describe("the walk through OWASP ASVS 5.0.0", () => {
  it("has every requirement of levels 1 and 2 once, each with a verdict and evidence", () => {
    expect(new Set(asvs.map(({ id }) => id)).size).toBe(asvs.length)
    for (const level of ["L1", "L2"] as const)
      expect([level, asvs.filter(({ cells }) => cells[0] === level).length]).toEqual([level, LINES[level]])
    for (const { id, cells } of asvs) {
      const [, about = "", verdict = "", evidence = ""] = cells
      expect([id, VERDICTS.includes(verdict), about.length > 2, evidence.length > 3]).toEqual([
        id,
        true,
        true,
        true,
      ])
    }
  })

  it("names files that are there", () => {
    const files = [...page.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)+\.\w+)`/g)].map(([, path = ""]) => path)
    expect(files.length).toBeGreaterThan(100)
    expect(files.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([])
  })

  it("says at its top what is not met, and nothing else", () => {
    const [head = ""] = page.split("\n## V1")
    const told = [...head.matchAll(/^\| (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*) /gm)].flatMap(([, ids = ""]) =>
      ids.split(", "),
    )
    const missing = asvs.filter(({ cells }) => cells[2] === "not met").map(({ id }) => id)
    expect([...told].sort()).toEqual([...missing].sort())
  })
})
