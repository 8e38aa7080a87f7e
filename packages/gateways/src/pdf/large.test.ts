import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { afterAll, expect, it } from "vitest"
import { largePdf } from "../testing/hand-made-pdf.ts"
import type { Handled, HandlesAsked } from "../testing/programs/handles-a-large-one.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { selfSigned } from "../testing/self-signed.ts"
import { readFrames, writeFrame } from "./frame.ts"

const PROGRAM = fileURLToPath(new URL("../testing/programs/handles-a-large-one.ts", import.meta.url))
const LARGEST_BYTES = 112_500_000
const MEGABYTE = 1_000_000
const folder = mkdtempSync(join(tmpdir(), "paraph-large-"))

afterAll(() => rmSync(folder, { recursive: true }))

it("a document of the largest size is described, prepared and drawn, and nobody ever holds it", async () => {
  const document = largePdf(LARGEST_BYTES)
  expect(document.length).toBe(LARGEST_BYTES)
  const { certificate } = selfSigned(folder)
  const options = { fieldName: "Signature1", certificate, chain: [], signedAt: new Date() }
  const handled = await handle({ file: await sealedFileOf(document, folder), options })
  expect(handled).toMatchObject({
    pageCount: 2,
    baseSha256: createHash("sha256").update(document).digest("hex"),
  })
  expect((await sharp(handled.picture).greyscale().stats()).channels[0]?.min).toBeLessThan(60)
  const { parentGrewBytes, childPeakBytes } = handled
  process.stdout.write(
    `112.5 MB: the parent grew by ${mb(parentGrewBytes)} MB, a child had ${mb(childPeakBytes)} MB at most\n`,
  )
  expect(parentGrewBytes).toBeLessThan(20 * MEGABYTE)
  expect(childPeakBytes).toBeGreaterThan(10 * MEGABYTE)
  expect(childPeakBytes).toBeLessThan(256 * MEGABYTE)
})

function handle(asked: HandlesAsked): Promise<Handled> {
  const parent = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "inherit"] })
  return new Promise((resolve, reject) => {
    readFrames(parent.stdout, ({ header }) => resolve(header as Handled))
    parent.once("close", (code) => reject(new Error(`The parent ended with ${code}.`)))
    writeFrame(parent.stdin, asked)
  })
}

function mb(bytes: number): number {
  return Math.round(bytes / MEGABYTE)
}
