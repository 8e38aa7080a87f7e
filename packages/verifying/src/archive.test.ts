import { type Story, writeStory } from "@paraph/evidence/story"
import { samplePdf } from "@paraph/pades/sample"
import { readCertificate } from "@paraph/pki/certificate"
import { beforeAll, describe, expect, it } from "vitest"
import { bodyOf, type Logged, loggedStory } from "../../evidence/src/testing/logged-story.ts"
import type { OpenArchive } from "./archive.ts"
import { sayVerified } from "./say.ts"
import { later, sha256, type ToldWorld, toldWorld } from "./testing/told-world.ts"
import { verifyFiles } from "./verify.ts"
import { LANGUAGES } from "./words/words.ts"

const RECEIPT = "1f0e0d0c-0b0a-4908-8706-050403020100"

type Files = Readonly<Record<string, Uint8Array>>

let told: ToldWorld
let receipt: Logged
let whole: Files
let folder: string
let receiptPath: string
beforeAll(async () => {
  told = await toldWorld()
  const erased = bodyOf(1, { request: RECEIPT, type: "story.erased", data: { events: 3 } })
  const logged = await loggedStory(1, 5, { bodies: [erased] })
  receipt = { ...logged, story: { ...logged.story, request: RECEIPT } }
  folder = `requests/${told.story.request}`
  receiptPath = `receipts/${receipt.story.request}.json`
  whole = {
    [`${folder}/request.json`]: Buffer.from("{}"),
    [`${folder}/documents/a.pdf`]: told.contract,
    [`${folder}/story.json`]: Buffer.from(writeStory(told.story)),
    "documents/two/two.pdf": samplePdf(),
    [receiptPath]: Buffer.from(writeStory(receipt.story)),
    "log/key.txt": Buffer.from(told.keyLine),
  }
}, 60_000)

function listOf(files: Files): Uint8Array {
  const listed = Object.entries(files).map(([path, bytes]) => ({
    path,
    bytes: bytes.length,
    sha256: sha256(bytes),
  }))
  const business = { id: "b", name: "Acme AG" }
  const at = { exported_at: later(3).toISOString(), is_last: true }
  return Buffer.from(
    JSON.stringify({ format: "paraph-export/1", business, kind: "demo", ...at, files: listed }),
  )
}

const archiveOf = (files: Files): OpenArchive => ({
  name: "all.zip",
  paths: Object.keys(files),
  read: async (path) => files[path] ?? null,
})

const check = async (files: Files) => {
  const verified = await verifyFiles({
    files: [],
    archives: [archiveOf(files)],
    logKeys: [told.key, receipt.key],
    trusted: [readCertificate(told.root)],
    now: later(24),
  })
  return { verified, archive: verified.archives[0] }
}
const withList = (files: Files): Files => ({ ...files, "manifest.json": listOf(files) })

describe("an archive of all that a business had", () => {
  it("holds as it was made: the list, what was signed, the stories and the receipts", async () => {
    const { verified, archive } = await check(withList(whole))
    expect(verified.standing).toBe("holds")
    expect(archive).toMatchObject({
      business: "Acme AG",
      files: 6,
      signed: 1,
      stories: 2,
      withoutNews: 1,
      faults: [],
    })
    for (const language of LANGUAGES) {
      const { parts } = sayVerified(verified, language)
      expect(parts[0]?.sentences.join(" ")).toMatch(/Acme AG.*6.*1.*2/)
    }
  })

  it("says less of a time-stamp where nobody later says that its authority was in order", async () => {
    const { verified } = await check(withList(whole))
    expect(sayVerified(verified, "en").parts[0]?.sentences.join(" ")).toContain("newer than anything here")
    const later = await check(withList({ ...whole, [`${folder}/documents/b.pdf`]: told.report }))
    expect(later.archive).toMatchObject({ standing: "holds", withoutNews: 0 })
  })

  it.each([
    ["missing", (files: Files) => without(files, `${folder}/request.json`)],
    ["unlisted", (files: Files) => ({ ...files, "more.pdf": samplePdf() })],
    ["changed", (files: Files) => ({ ...files, "log/key.txt": Buffer.from("another") })],
    ["list", (files: Files) => without(files, "manifest.json")],
    ["list", (files: Files) => ({ ...files, "manifest.json": Buffer.from("{}") })],
  ] as const)("is noticed to be another: %s", async (fault, change) => {
    const { verified, archive } = await check(change(withList(whole)))
    expect(verified.standing).toBe("fails")
    expect(archive?.faults.map((one) => one.fault)).toEqual([fault])
  })

  it.each([
    [
      "a story that was changed",
      "fails",
      () => ({ [receiptPath]: changed(receipt.story, "story.erased", "story.kept") }),
    ],
    [
      "a story of another request",
      "fails",
      () => ({ [`${folder}/story.json`]: Buffer.from(writeStory(receipt.story)) }),
    ],
    ["a receipt that is none", "fails", () => ({ [receiptPath]: Buffer.from(writeStory(told.story)) })],
    ["a story that is none", "unsure", () => ({ [`${folder}/story.json`]: Buffer.from("{}") })],
    [
      "a contract that was changed",
      "fails",
      () => ({ [`${folder}/documents/a.pdf`]: flipped(told.contract) }),
    ],
    [
      "an unsigned file instead",
      "unsure",
      () => ({ [`${folder}/documents/a.pdf`]: samplePdf({ pages: 3 }) }),
    ],
    ["another contract of theirs", "unsure", () => ({ [`${folder}/documents/a.pdf`]: told.other })],
    ["no PDF at all", "unsure", () => ({ [`${folder}/documents/a.pdf`]: Buffer.from("nothing") })],
  ] as const)("is judged by what is in it, whatever its list says: %s", async (_, standing, change) => {
    const { verified } = await check(withList({ ...whole, ...change() }))
    expect(verified.standing).toBe(standing)
  })

  it("without the story of a request cannot be said to hold", async () => {
    const { verified, archive } = await check(withList(without(whole, `${folder}/story.json`)))
    expect(verified.standing).toBe("unsure")
    expect(archive?.left.others).toEqual([{ name: `${folder}/story.json`, problem: "missing" }])
  })
})

const changed = (story: Story, from: string, to: string): Uint8Array =>
  Buffer.from(writeStory(story).replace(from, to))

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  copy[100] = (copy[100] ?? 0) ^ 1
  return copy
}

const without = (files: Files, path: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== path))
