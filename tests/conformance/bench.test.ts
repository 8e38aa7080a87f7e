// What must not grow unnoticed when a large document is signed: how often its bytes are read, and the memory it takes.
// Milliseconds are for `npm run bench:pades`; whoever else uses the machine cannot change what is counted here.

import { readFileSync } from "node:fs"
import { digestRanges } from "@paraph/pades/digest-ranges"
import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource, type Source } from "@paraph/pades/source"
import { afterAll, beforeAll, expect, it } from "vitest"
import { measureFile } from "../bench/file-to-file.ts"
import { writeIdentity } from "../bench/identity.ts"
import { type IdentityFiles, readIdentity } from "../bench/identity-files.ts"
import { fileOf, INPUTS, type Input, removeScratch } from "../bench/inputs.ts"
import { signOnce } from "../bench/paraph.ts"
import { SIGNATURES, signRepeatedly } from "../bench/twenty.ts"

let files: IdentityFiles

beforeAll(async () => {
  files = await writeIdentity("RSA-2048")
})
afterAll(removeScratch)

it.each([INPUTS.ten, INPUTS.tenMany])("reads every byte once and little besides: $name", (input) => {
  const { source, count } = counted(bytesOf(input))
  signOnce(source, readIdentity(files))
  expect(count()).toBeLessThan(1.05 * source.length)
})

it("reads the file once for the digests of twenty signatures", () => {
  const { parts } = signRepeatedly(bytesOf(INPUTS.ten), readIdentity(files))
  const pdf = Buffer.concat([...parts])
  const signatures = readSignatures(openPdf(bytesSource(pdf)))
  const ranges = signatures.flatMap(({ byteRange }) => (byteRange ? [byteRange] : []))
  expect(ranges).toHaveLength(SIGNATURES)
  const { source, count } = counted(pdf)
  digestRanges(source, ranges, "sha256")
  expect(count()).toBeLessThanOrEqual(pdf.length)
})

it("signs the largest document from file to file within 64 MB, Node itself included", () => {
  const { paraph } = measureFile(INPUTS.largest, files, "built", 2)
  expect(paraph.rssBytes).toBeLessThanOrEqual(64_000_000)
})

function bytesOf(input: Input): Uint8Array {
  return new Uint8Array(readFileSync(fileOf(input)))
}

function counted(bytes: Uint8Array): { readonly source: Source; readonly count: () => number } {
  let count = 0
  const whole = bytesSource(bytes)
  const read = (start: number, end: number) => {
    const part = whole.read(start, end)
    count += part.length
    return part
  }
  return { source: { length: whole.length, read }, count: () => count }
}
