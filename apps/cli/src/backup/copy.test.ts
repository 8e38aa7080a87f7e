import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { readManifest } from "./copy.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-copy-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SUMMED = { bytes: 1, sha256: "ab".repeat(32) }
const WHOLE = {
  format: "paraph-backup/1",
  at: "2026-11-16T12:00:00.000Z",
  database: SUMMED,
  objects: { ...SUMMED, count: 0, objectBytes: 0 },
  missing: [],
  "not-included": [],
}

const reading = (text: string) => {
  writeFileSync(join(folder, "manifest.json"), text)
  return readManifest(folder)
}

it("a manifest is read as it was written", async () => {
  expect(await reading(JSON.stringify(WHOLE))).toEqual(WHOLE)
})

it.each(["", "{", "null", "[]", JSON.stringify({ ...WHOLE, format: "x" })])(
  "what is no manifest (%s) is told in a sentence",
  (text) => expect(reading(text)).rejects.toThrow(/another format/),
)

it.each(["at", "database", "objects", "missing"])("one without its %s is damaged", (name) =>
  expect(reading(JSON.stringify({ ...WHOLE, [name]: undefined }))).rejects.toThrow(/damaged/),
)
