// What a night is made of, with readers whose faults are known.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { keepFindings } from "./findings.ts"
import { openKept } from "./kept.ts"
import { type Night, night, tableOf } from "./night.ts"
import type { Report } from "./worker.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-night-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const GOOD = "verifier-key"
const BAD = "planted-property"

function asked(more: Partial<Night>): Night & { readonly reports: Report[] } {
  const reports: Report[] = []
  const record = join(folder, "night.json")
  const told = (report: Report) => void reports.push(report)
  return { names: [GOOD, BAD], seconds: 1, seed: 5, together: 2, record, told, reports, ...more }
}

describe("a night", () => {
  it("runs every target, tells what each found, and leaves no record behind", async () => {
    const one = asked({})
    const rows = await night(one)
    expect(rows.map(({ target, seed, findings }) => [target, seed, findings])).toEqual([
      [GOOD, 5, 0],
      [BAD, 5, 1],
    ])
    expect(rows.every(({ runs, ways }) => runs > 0 && ways > 0)).toBe(true)
    expect(one.reports.map(({ target }) => target).sort()).toEqual([BAD, GOOD])
    expect(existsSync(one.record)).toBe(false)
    expect(tableOf(rows).split("\n")).toHaveLength(3)
  })

  it("goes on where it was broken off, with its own seed", async () => {
    const done = { target: BAD, seed: 9, runs: 1, accepted: 1, ways: 1, findings: 1 }
    const one = asked({ record: join(folder, "broken-off.json") })
    writeFileSync(one.record, JSON.stringify({ seed: 9, seconds: 1, rows: [done] }))
    const rows = await night(one)
    expect(one.reports.map(({ target, seed }) => [target, seed])).toEqual([[GOOD, 9]])
    expect(rows.map(({ findings }) => findings)).toEqual([0, 1])
  })

  it("begins anew where the other one had another length", async () => {
    const done = { target: BAD, seed: 9, runs: 1, accepted: 1, ways: 1, findings: 1 }
    const one = asked({ record: join(folder, "another.json"), names: [BAD] })
    writeFileSync(one.record, JSON.stringify({ seed: 9, seconds: 600, rows: [done] }))
    await night(one)
    expect(one.reports.map(({ seed }) => seed)).toEqual([5])
  })
})

describe("what a run leaves behind", () => {
  it("an input for each way, the shortest, which the next run begins with", async () => {
    const keep = join(folder, "kept")
    const one = asked({ names: [GOOD], keep, record: join(folder, "keeps.json") })
    await night(one)
    const first = readdirSync(join(keep, GOOD))
    expect(first.length).toBeGreaterThan(0)
    const kept = openKept(keep, GOOD)
    expect(kept.inputs).toHaveLength(first.length)
    kept.note("a way", Buffer.from("long"), true)
    kept.note("a way", Buffer.from("shorter than nothing"), false)
    kept.note("a way", Buffer.from("x"), false)
    kept.end(new Set(["a way"]))
    // Those of before went no way that is known now.
    const [only, ...others] = readdirSync(join(keep, GOOD))
    expect(others).toEqual([])
    expect(readFileSync(join(keep, GOOD, only ?? ""), "utf8")).toBe("x")
  })

  it("a finding as a file that can be run again", () => {
    const input = Buffer.from("input")
    const finding = { kind: "property", key: "k", detail: "what does not hold", input } as const
    const report = { target: "t", seed: 3, runs: 1, accepted: 0, ways: 1, findings: [finding] }
    const [line] = keepFindings(report, folder)
    expect(line).toContain(join(folder, "t-3-1"))
    expect(readFileSync(join(folder, "t-3-1"))).toEqual(input)
    expect(readFileSync(join(folder, "t-3-1.txt"), "utf8")).toContain("what does not hold")
  })
})
