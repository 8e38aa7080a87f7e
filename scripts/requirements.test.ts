import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { account } from "./requirements/proof.ts"
import { readRules } from "./requirements/rules.ts"
import { collect, passedIn } from "./requirements/tests.ts"

const root = resolve(import.meta.dirname, "..")
const rules = readRules(readFileSync(new URL("../docs/interface/requirements.md", import.meta.url), "utf8"))

const of = (...titles: string[]) => titles.map((title) => ({ path: "x.test.ts", title }))
const standing = (id: string, ...titles: string[]) =>
  account(rules, of(...titles)).standings.find((one) => one.id === id)
const mistakes = (title: string) => account(rules, of(title)).mistakes

describe("the versions of a rule", () => {
  const versions = (id: string) => rules.find((rule) => rule.id === id)?.versions

  it("are read from the beginning of its text", () => {
    expect(versions("AUTH-01")).toEqual(["v1"])
    expect(versions("AUTH-02")).toEqual(["v2", "v3"])
    expect(versions("SR-01")).toEqual(["v1", "v2"])
    expect(versions("SR-18")).toEqual(["v3"])
    expect(versions("ERR-01")).toEqual(["v3"])
  })

  it("are those of its family where the text does not begin with one", () => {
    expect(versions("DOC-01")).toEqual(["v1", "v2", "v3"])
    expect(versions("EVT-01")).toEqual(["v1", "v2", "v3"])
    expect(versions("VAL-01")).toEqual(["val"])
    expect(versions("URL-01")).toEqual([])
  })

  it("are told by hand where neither is right", () => {
    expect(versions("AUTH-03")).toEqual(["v1", "v2", "v3", "val"])
    expect(versions("ST-01")).toEqual(["v1", "v2", "v3"])
    expect(versions("URL-08")).toEqual(["v1", "v2", "v3"])
  })

  it("are known for every row of the paper", () => {
    const paper = readFileSync(new URL("../docs/interface/requirements.md", import.meta.url), "utf8")
    expect(rules).toHaveLength(paper.split("\n").filter((line) => /^\| [A-Z]/.test(line)).length)
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  })
})

describe("a rule", () => {
  it("is open while no test names it", () => {
    expect(standing("SR-01", "[SR-03 v2] something else", "creates, without a number")?.state).toBe("open")
  })

  it("is proved in part while one of its versions is missing", () => {
    expect(standing("SR-01", "[SR-01 v2] creates")).toMatchObject({ state: "partly", proved: ["v2"] })
  })

  it("is proved when each of its versions is named, in one test or in several", () => {
    expect(standing("SR-01", "[SR-01 v2] creates", "[SR-01 v1] creates")?.state).toBe("proved")
    expect(standing("SR-01", "[SR-01 v2, SR-01 v1] creates")?.state).toBe("proved")
    expect(standing("EVT-03", "[ST-02 v2] [EVT-03 v2] calls")).toMatchObject({ proved: ["v2"] })
  })

  it("is proved by a test that names the whole", () => {
    expect(standing("SR-01", "[SR-01] creates")).toMatchObject({ state: "proved", files: ["x.test.ts"] })
    expect(standing("URL-01", "[URL-01] leads back")?.state).toBe("proved")
  })

  it("is proved by a group of tests that names it", () => {
    expect(standing("SR-18", "drafts [SR-18] > start")?.state).toBe("proved")
  })
})

describe("the report of a run", () => {
  it("proves by tests that passed, and by no other", () => {
    const statuses = ["passed", "failed", "skipped", "todo"]
    const assertionResults = statuses.map((status, index) => ({ fullName: `[SR-0${index + 1}] a`, status }))
    const report = { testResults: [{ name: "/checkout/tests/x.test.ts", assertionResults }] }
    expect(passedIn("/checkout", report)).toEqual([{ path: "tests/x.test.ts", title: "[SR-01] a" }])
  })
})

describe("collecting", () => {
  it("fills in the values of titles that are generated", () => {
    const file = "packages/pki/src/certificate/name-writer.test.ts"
    expect(readFileSync(resolve(root, file), "utf8")).toContain("it.each")
    const titles = collect(root, [file]).map(({ title }) => title)
    expect(new Set(titles).size).toBeGreaterThan(3)
    expect(titles.filter((title) => /\$\{|%s|\$\w/.test(title))).toEqual([])
  })
})

describe("a title that names", () => {
  it("an unknown rule is a mistake, with its place", () => {
    expect(mistakes("[SR-99] flies")).toEqual(["x.test.ts: [SR-99] is no requirement."])
  })

  it("a version that the rule does not concern is a mistake", () => {
    expect(mistakes("[SR-18 v2] starts")).toHaveLength(1)
    expect(mistakes("[URL-01 v2] leads back")).toHaveLength(1)
  })

  it("a rule in a form that cannot be read is a mistake", () => {
    for (const title of ["[SR-1 v2] a", "[SR-01 v4] a", "[SR-01 v1 v2] a", "[SR-01v2] a", "[SR-01 %s] a"])
      expect(mistakes(title), title).toHaveLength(1)
  })

  it("nothing, or a number of another kind, is none", () => {
    expect(mistakes("creates [draft] of issue-42 by RFC 3161")).toEqual([])
  })
})
