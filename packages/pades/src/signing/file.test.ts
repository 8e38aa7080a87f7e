import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { baseOf, grow } from "../base.ts"
import { samplePdf } from "../sample.ts"
import { readSignatures } from "../signed/signatures.ts"
import { open, options, valueFor } from "../testing/signer.ts"
import { copyFile } from "./file.ts"
import { finish } from "./finish.ts"
import { prepare } from "./prepare.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-file-"))
afterAll(() => rmSync(folder, { recursive: true }))

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe("from a file to a file", () => {
  it("gives the same bytes as in memory, for one signature and the next", () => {
    const input = join(folder, "contract.pdf")
    const output = join(folder, "signed.pdf")
    // Larger than a block, so that hash and copy go on over its edge.
    const base = samplePdf({ attachedBytes: 2_500_000 })
    writeFileSync(input, base)

    const copy = copyFile(input, output)
    let inMemory: Uint8Array = base
    for (const field of ["Paraph-1", "Paraph-2"]) {
      const prepared = prepare(copy.base(), options(field))
      expect(prepared).toEqual(prepare(inMemory, options(field)))
      const tail = finish(prepared, valueFor(prepared))
      copy.append(tail)
      inMemory = Buffer.concat([inMemory, tail])
    }
    copy.close()
    const written = readFileSync(output)
    expect(sha256(written)).toBe(sha256(inMemory))
    expect(sha256(readFileSync(input))).toBe(sha256(base))
    expect(readSignatures(open(written))).toMatchObject([
      { coverage: "whole-revision" },
      { coverage: "whole-file" },
    ])
  })

  it("never writes over a file that is there", () => {
    const input = join(folder, "one.pdf")
    const output = join(folder, "two.pdf")
    writeFileSync(input, samplePdf())
    writeFileSync(output, "precious")
    expect(() => copyFile(input, output)).toThrow("EEXIST")
    expect(readFileSync(output, "utf8")).toBe("precious")
  })
})

describe("a copy", () => {
  const descriptors = () => readdirSync("/dev/fd").length

  it("is for the eyes of its owner", () => {
    const input = join(folder, "open.pdf")
    const output = join(folder, "closed.pdf")
    writeFileSync(input, samplePdf(), { mode: 0o666 })
    copyFile(input, output).close()
    expect(statSync(output).mode & 0o777).toBe(0o600)
  })

  it("that fails leaves neither a part of a file nor an open one", () => {
    const output = join(folder, "never.pdf")
    const before = descriptors()
    // A file by its kind, whose first byte cannot be read.
    expect(() => copyFile("/proc/self/mem", output)).toThrow("EIO")
    expect(existsSync(output)).toBe(false)
    expect(() => copyFile(folder, output)).toThrow(TypeError)
    expect(existsSync(output)).toBe(false)
    expect(descriptors()).toBe(before)
  })

  it("holds one open file, and goes on with it wherever its name leads", () => {
    const input = join(folder, "named.pdf")
    const output = join(folder, "renamed.pdf")
    writeFileSync(input, samplePdf())
    const before = descriptors()
    const copy = copyFile(input, output)
    expect(descriptors()).toBe(before + 1)
    rmSync(output)
    writeFileSync(output, "something else")
    expect(Buffer.from(copy.base().source.read(0, 1_000_000)).equals(samplePdf())).toBe(true)
    copy.close()
    expect(descriptors()).toBe(before)
  })
})

describe("a carried hash", () => {
  it("is that of all the bytes, of whichever kind, and may be taken again", () => {
    const base = samplePdf()
    const tail = Buffer.from("a tail")
    const carried = grow(baseOf(base), tail)
    for (const algorithm of ["sha256", "sha384", "sha512"] as const) {
      const whole = createHash(algorithm).update(base).update(tail).digest("hex")
      expect(carried.hash(algorithm).digest("hex")).toBe(whole)
      expect(carried.hash(algorithm).update("").digest("hex")).toBe(whole)
    }
  })
})
