import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { deflateSync } from "node:zlib"
import { expect, inject, it } from "vitest"
import { TENANT } from "../testing/tenant.ts"
import { createScanner } from "./scanner.ts"
import { PLANTED } from "./testing/own-clamd.ts"
import { document, pieces } from "./testing/sources.ts"

const LARGEST = 112_500_000
const address = parseEnv(readFileSync(join(inject("stackDir"), "env"), "utf8")).SCANNER_URL ?? ""
const scanner = createScanner({ address, minTotalMs: 110_000 })
const found = { clean: false, finding: expect.stringMatching(/^Paraph\.Test\.Planted/) }

it("calls a document clean that is", async () => {
  expect(await scanner.scan(TENANT, document(3_000_000), 3_000_000)).toEqual({ clean: true })
  expect(await scanner.scan(TENANT, pieces(), 0)).toEqual({ clean: true })
})

it("[R21] finds what lies at the start, in the middle and in the last bytes of the largest document", async () => {
  for (const at of [50, LARGEST / 2 - 5, LARGEST - PLANTED.length])
    expect(await scanner.scan(TENANT, document(LARGEST, { text: PLANTED, at }), LARGEST), `at ${at}`).toEqual(
      found,
    )
})

it("calls the largest document clean that is", async () => {
  expect(await scanner.scan(TENANT, document(LARGEST), LARGEST)).toEqual({ clean: true })
})

it("finds what is compressed in a stream of a PDF", async () => {
  const stream = deflateSync(`BT (${"Lorem ipsum ".repeat(200)}${PLANTED}) Tj ET`)
  expect(stream.includes(PLANTED)).toBe(false)
  const pdf = [
    "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n",
    "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>\nendobj\n",
    `4 0 obj\n<</Filter/FlateDecode/Length ${stream.length}>>\nstream\n`,
    stream,
    "\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n",
  ]
  const sizeBytes = pdf.reduce((sum, part) => sum + part.length, 0)
  expect(await scanner.scan(TENANT, pieces(...pdf), sizeBytes)).toEqual(found)
})

it("goes on behind an empty piece, and across the borders of pieces", async () => {
  const [before, after] = [PLANTED.slice(0, 9), PLANTED.slice(9)]
  expect(await scanner.scan(TENANT, pieces("", "text", "", before, "", after), 4 + PLANTED.length)).toEqual(
    found,
  )
})

it("gives no verdict on a document of which it saw another number of bytes", async () => {
  const failure = expect.objectContaining({ name: "ScannerFailed", code: "error" })
  await expect(scanner.scan(TENANT, pieces("short"), 6)).rejects.toEqual(failure)
  await expect(scanner.scan(TENANT, pieces("too long"), 6)).rejects.toEqual(failure)
})

it("ends with the source's own error when that fails", async () => {
  const fault = new Error("The disk is gone.")
  const failing = async function* () {
    yield* document(2_000_000)
    throw fault
  }
  await expect(scanner.scan(TENANT, failing(), 4_000_000)).rejects.toBe(fault)
  const atOnce = async function* (): AsyncGenerator<Uint8Array> {
    yield* []
    throw fault
  }
  await expect(scanner.scan(TENANT, atOnce(), 4)).rejects.toBe(fault)
})

it("knows that the stack's scanner looks at all of the largest document", async () => {
  expect(await scanner.covers(LARGEST)).toBe(true)
})

it("tells which engine answers; signatures made by hand have no date", async () => {
  expect(await scanner.health()).toEqual({
    engine: expect.stringMatching(/^ClamAV \d+\.\d+/),
    signaturesFrom: null,
  })
})

it("takes two forms of address and no other", () => {
  for (const address of ["http://127.0.0.1:3310", "tcp://127.0.0.1", "127.0.0.1:3310", "unix:relative", ""])
    expect(() => createScanner({ address }), address).toThrow()
})
