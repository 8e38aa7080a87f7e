// Other people's files, read and signed by ours: signed, damaged and hostile ones. Twenty at a time share a process, which
// has one second and 128 MB for any file below 1 MB; in the service each has one of its own.

import { spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import type { Reading } from "./corpora-child.ts"

const corpora = process.env.PARAPH_CORPORA
const CHILD = fileURLToPath(new URL("corpora-child.ts", import.meta.url))
const SMALL_BYTES = 1_000_000

/**
 * How many files there are, how many of them are refused, how many may not be signed, and how many do something by
 * themselves or are unclear: a change here is a change of what we read.
 */
const EXPECTED = {
  dss: { files: 260, refused: 20, locked: 5, active: 1, unclear: 1 },
  pyhanko: { files: 130, refused: 42, locked: 1, active: 1, unclear: 3 },
  pdfa: { files: 180, refused: 0, locked: 0, active: 0, unclear: 0 },
  pdf101: { files: 203, refused: 48, locked: 0, active: 62, unclear: 36 },
  "shadow-attacks": { files: 25, refused: 0, locked: 0, active: 0, unclear: 5 },
}
const names = Object.keys(EXPECTED) as (keyof typeof EXPECTED)[]
const readings = new Map<string, readonly Reading[]>()

describe.skipIf(corpora === undefined)("the files of other people's tests", () => {
  beforeAll(async () => {
    for (const name of names)
      readings.set(name, await readFolder(join(corpora ?? "", name), EXPECTED[name].files))
    process.stdout.write(table())
  })

  it.each(names)("of %s are each read or refused with a reason", (name) => {
    const found = readings.get(name) ?? []
    expect(found.filter(({ fault }) => fault !== undefined)).toEqual([])
    expect(found).toHaveLength(EXPECTED[name].files)
    expect(found.filter(({ refused }) => refused !== undefined)).toHaveLength(EXPECTED[name].refused)
    const unsigned = found.flatMap(({ unsigned }) => unsigned ?? [])
    // A reader who may not sign: an earlier signature forbids it.
    expect(unsigned.filter((reason) => !reason.startsWith("locked: "))).toEqual([])
    expect(unsigned).toHaveLength(EXPECTED[name].locked)
  })

  it.each(names)("of %s do by themselves what they are known for", (name) => {
    const found = (readings.get(name) ?? []).map(({ active = [] }) => active)
    const { active, unclear } = EXPECTED[name]
    expect(found.filter((kinds) => kinds.some((kind) => kind !== "unclear"))).toHaveLength(active)
    expect(found.filter((kinds) => kinds.includes("unclear"))).toHaveLength(unclear)
  })

  it.each(names)("of %s take less than a second and 128 MB", (name) => {
    for (const { file, bytes, milliseconds, peakBytes } of readings.get(name) ?? []) {
      if (bytes > SMALL_BYTES) continue
      expect(milliseconds, file).toBeLessThan(1_000)
      expect(peakBytes, file).toBeLessThan(128 * 1_048_576)
    }
  })

  it("have the coverage that they are known for", () => {
    const found = (file: string) =>
      [...readings.values()]
        .flat()
        .find((one) => one.file.endsWith(file))
        ?.signatures?.map(({ coverage, fault }) => fault ?? coverage)
    expect(found("/25sigs.pdf")).toEqual(Array(25).fill("whole-revision"))
    expect(found("/tail-uncovered.pdf")).toEqual(["contiguous-from-start"])
    expect(found("/signature-gap-too-big.pdf")).toEqual(["gap-is-not-contents"])
    expect(found("/weird-byterange.pdf")).toEqual(["gap-is-not-contents"])
    expect(found("/one-byterange.pdf")).toEqual(["byte-range-malformed"])
    expect(found("/pdf-byterange-overlap.pdf")).toContain("gap-is-not-contents")
    expect(found("/pdf-signed-out-of-byteRange.pdf")).toEqual(["byte-range-outside-file"])
    expect(found("/pades-spoofing-replaced-reason.pdf")).toContain("gap-is-not-contents")
    expect(found("/pdf-with-two-empty-sigs.pdf")).toEqual(["contents-malformed", "contents-malformed"])
    expect(found("/pdf-eof.pdf")).toEqual(["byte-range-outside-file"])
  })

  it("of the shadow attacks have signatures that cover their revision, and manipulated ones not the file", () => {
    for (const { file, signatures = [] } of readings.get("shadow-attacks") ?? []) {
      if (!file.includes("signed")) continue
      const expected = file.includes("manipulated") ? "whole-revision" : "whole-file"
      expect([file, ...signatures.map(({ coverage }) => coverage)]).toEqual([file, expected])
    }
  })
})

const FILES_PER_PROCESS = 20

async function readFolder(folder: string, files: number): Promise<readonly Reading[]> {
  const found: Reading[] = []
  // One more than there should be, so that a file too many is seen.
  for (let first = 0; first <= files; first += FILES_PER_PROCESS)
    found.push(...(await readSome(folder, first)))
  return found
}

// Told how much there is, as the service tells its PDF processes: otherwise V8 tidies up when it finds the time, and beside
// busy neighbours that is later.
const TIDY = ["--max-old-space-size=76", "--max-semi-space-size=2"]

function readSome(folder: string, first: number): Promise<readonly Reading[]> {
  const args = [...TIDY, CHILD, folder, String(first), String(FILES_PER_PROCESS)]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const output: Buffer[] = []
  child.stdout.on("data", (data: Buffer) => output.push(data))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`Reading ${folder} ended with ${code}.`))
      const lines = Buffer.concat(output).toString("utf8").trimEnd().split("\n")
      resolve(lines.filter((line) => line !== "").map((line) => JSON.parse(line)))
    })
  })
}

/** What was refused and why, for whoever reads the log. */
function table(): string {
  const lines: string[] = []
  for (const [name, found] of readings) {
    const slowest = Math.max(...found.map(({ milliseconds }) => milliseconds))
    const peak = Math.round(Math.max(...found.map(({ peakBytes }) => peakBytes)) / 1_048_576)
    lines.push(`${name}: ${found.length} files, slowest ${slowest} ms, at most ${peak} MB`)
    const reasons = new Map<string, number>()
    for (const { refused } of found) {
      const reason = refused?.replace(/\d+/g, "…")
      if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    const sorted = [...reasons].sort(([, a], [, b]) => b - a)
    for (const [reason, count] of sorted) lines.push(`${String(count).padStart(6)}  ${reason}`)
  }
  return `${lines.join("\n")}\n`
}
