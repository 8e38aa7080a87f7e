// What EU DSS and pyHanko said of foreign files, as `npm run conformance:validation -- --record` wrote it down, beside what we
// say today. Each difference has its reason on a page.

import { readFileSync } from "node:fs"
import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import { beforeAll, describe, expect, it } from "vitest"
import { foreignFiles } from "./inputs.ts"
import type { Opinion, Opinions } from "./oracles.ts"
import { AS_DSS } from "./policies.ts"
import { comparable, EXPLAINED, fileOf, indicationOf, type Row, rowsOf, tooKindFor } from "./table.ts"

const { PARAPH_CORPORA } = process.env

const page = readFileSync(new URL("../../../docs/validation-differences.md", import.meta.url), "utf8")

type Told = readonly Opinion[] | { readonly error: string }
const recorded = JSON.parse(readFileSync(new URL("opinions.json", import.meta.url), "utf8")) as Record<
  string,
  { readonly dss?: Told; readonly pyhanko?: Told }
>

const opinionsOf = (who: "dss" | "pyhanko"): Opinions =>
  new Map(
    Object.entries(recorded).flatMap(([title, said]) =>
      said[who] === undefined ? [] : [[title, said[who]]],
    ),
  )

describe.runIf(PARAPH_CORPORA !== undefined)("signatures in other people's files", () => {
  let asDss: readonly Row[]
  let strict: readonly Row[]
  beforeAll(async () => {
    const inputs = foreignFiles(PARAPH_CORPORA ?? "")
    asDss = await rowsOf(inputs, AS_DSS, opinionsOf("dss"), opinionsOf("pyhanko"))
    strict = await rowsOf(inputs, DEFAULT_POLICY, opinionsOf("dss"), opinionsOf("pyhanko"))
  })

  const filesOf = (rows: readonly Row[]) => [...new Set(rows.map(fileOf))].sort()

  it("that EU DSS fails, or does not decide on, are passed by neither of our policies", () => {
    expect(tooKindFor([...asDss, ...strict], "dss")).toEqual([])
  })

  it("that pyHanko fails are passed by neither of our policies, but for changes that we explain", () => {
    const failedByPyhanko = (rows: readonly Row[]) =>
      filesOf(tooKindFor(rows, "pyhanko").filter(({ pyhanko }) => indicationOf(pyhanko) === "TOTAL-FAILED"))
    expect(failedByPyhanko(asDss)).toEqual(EXPLAINED)
    expect(failedByPyhanko(strict).filter((file) => !EXPLAINED.includes(file))).toEqual([])
  })

  it("that pyHanko does not decide on and we pass are all named on the page", () => {
    const kind = filesOf(tooKindFor([...asDss, ...strict], "pyhanko"))
    expect(kind.filter((file) => !page.includes(`\`${file}\``))).toEqual([])
  })

  it("are judged as EU DSS judges them, sixty and more of each verdict, or the page says why not", () => {
    const judged = comparable(asDss)
    const differing = judged.filter(({ ours, dss }) => indicationOf(ours) !== indicationOf(dss))
    expect([...new Set(differing.map(fileOf))].filter((file) => !page.includes(`\`${file}\``))).toEqual([])
    expect(page).toContain(`${judged.length} signatures in foreign files`)
    expect(page).toContain(`${judged.length - differing.length} of the verdicts`)
    for (const indication of ["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE"])
      expect(
        judged.filter(({ ours }) => indicationOf(ours) === indication).length,
        indication,
      ).toBeGreaterThan(60)
  })

  it("that we pass by our own policy are fewer, and none that EU DSS's policy would not pass", () => {
    const passed = (rows: readonly Row[]) =>
      new Set(
        rows.flatMap(({ title, field, ours }) => (ours === "TOTAL-PASSED" ? [`${title} ${field}`] : [])),
      )
    const mild = passed(asDss)
    expect([...passed(strict)].filter((one) => !mild.has(one))).toEqual([])
    expect(page).toContain(`${passed(strict).size} instead of ${mild.size} of these signatures pass`)
  })
})
