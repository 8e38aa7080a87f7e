import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Refusal } from "@paraph/core/refusal"
import { readSealedFile } from "@paraph/seal/file"
import { newKey } from "@paraph/seal/wrap"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Intake, startIntake } from "./intake.ts"

describe("the intake thread", () => {
  let folder: string
  let intake: Intake
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "paraph-intake-"))
    intake = startIntake(folder)
  })
  afterAll(async () => {
    await intake.close()
    await rm(folder, { recursive: true })
  })

  const take = (
    form: "bytes" | "json",
    body: AsyncIterable<Uint8Array>,
    key = newKey(),
    pieces: "ours" | "shared" = "ours",
  ) => intake.take({ form, key, context: "acme documents/1", maxBytes: 112_500_000, pieces }, body)

  it("seals a document that comes as it is, in whatever pieces", async () => {
    const document = randomBytes(3_000_001)
    const key = newKey()
    const { spooled, body } = await take("bytes", inPieces(document, 65_536), key)
    expect(body).toBe(null)
    expect(spooled).toMatchObject({
      sizeBytes: document.length,
      sha256: createHash("sha256").update(document).digest("hex"),
    })
    const file = {
      path: spooled?.sealed.path ?? "",
      key,
      context: "acme documents/1",
      sizeBytes: document.length,
    }
    expect((await collect(readSealedFile(file))).equals(document)).toBe(true)
  })

  it("takes a document out of JSON, and gives back the rest of it", async () => {
    const document = randomBytes(200_000)
    const json = JSON.stringify({
      title: "Lease",
      content: document.toString("base64"),
      content_type: "application/pdf",
    })
    const { spooled, body } = await take("json", inPieces(Buffer.from(json), 1_000))
    expect(body).toEqual({ title: "Lease", content: "", content_type: "application/pdf" })
    expect(spooled?.sha256).toBe(createHash("sha256").update(document).digest("hex"))
  })

  it("makes no file for JSON without a document, and one of no bytes for an empty one", async () => {
    const files = (await readdir(folder)).length
    const none = await take("json", inPieces(Buffer.from('{"title":"Lease"}'), 5))
    expect(none).toEqual({ spooled: null, body: { title: "Lease" } })
    expect(await readdir(folder)).toHaveLength(files)
    const empty = await take("json", inPieces(Buffer.from('{"content":""}'), 5))
    expect(empty.spooled?.sizeBytes).toBe(0)
  })

  it("refuses with the refusal itself, stops reading, and leaves no file", async () => {
    const files = (await readdir(folder)).length
    let read = 0
    const endless = async function* () {
      yield Buffer.from('{"content":"')
      for (;;) {
        read += 1
        yield Buffer.alloc(65_536, "A")
      }
    }
    const refused = await take("json", endless()).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect((refused as Refusal).code).toBe("pdf-too-large")
    expect(read).toBeLessThan(2_400)
    const broken = await take("json", inPieces(Buffer.from('{"content":"@@@@"}'), 3)).catch(
      (error: unknown) => error,
    )
    expect((broken as Refusal).code).toBe("constraint-violated")
    expect(await readdir(folder)).toHaveLength(files)
  })

  it("leaves no file of a document in JSON that does not end well", async () => {
    const files = (await readdir(folder)).length
    const content = randomBytes(30_000).toString("base64")
    for (const ending of ["", ",", ',"a":}', ',"__proto__":{}}', "} {}", ',"content":"AAAA"}'])
      await expect(
        take("json", inPieces(Buffer.from(`{"content":"${content}"${ending}`), 777)),
      ).rejects.toThrow()
    expect(await readdir(folder)).toHaveLength(files)
  })

  it("puts tiny pieces together, so that a byte does not cost a message", async () => {
    const document = randomBytes(200_000)
    const started = process.cpuUsage()
    const { spooled } = await take("bytes", inPieces(document, 1))
    expect(spooled?.sha256).toBe(createHash("sha256").update(document).digest("hex"))
    // Two hundred thousand pieces cost their iteration, and four messages.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })

  it("ends with the sender's own error when the sender fails, and leaves no file", async () => {
    const files = (await readdir(folder)).length
    const failing = async function* () {
      yield randomBytes(300_000)
      throw new Error("The client went away.")
    }
    await expect(take("bytes", failing())).rejects.toThrow("The client went away.")
    expect(await readdir(folder)).toHaveLength(files)
  })

  it("takes many at once, each whole", async () => {
    const documents = Array.from({ length: 20 }, () => randomBytes(1_500_000))
    const taken = await Promise.all(documents.map((document) => take("bytes", inPieces(document, 50_000))))
    expect(taken.map(({ spooled }) => spooled?.sha256)).toEqual(
      documents.map((document) => createHash("sha256").update(document).digest("hex")),
    )
  })

  it("copies a piece that is part of something larger, or that somebody still looks at", async () => {
    const larger = Buffer.from(new Uint8Array(100_000).fill(7))
    await take("bytes", inPieces(larger, 40_000))
    expect(larger[99_999]).toBe(7)
    await take("bytes", inPieces(larger, 100_000), newKey(), "shared")
    expect(larger[99_999]).toBe(7)
  })

  it("ends what it has when it is closed", async () => {
    const other = startIntake(folder)
    const options = { form: "bytes", key: newKey(), context: "x", maxBytes: 10, pieces: "ours" } as const
    const never = async function* () {
      yield new Uint8Array(1)
      await new Promise(() => undefined)
    }
    const taken = other.take(options, never())
    await other.close()
    await expect(taken).rejects.toThrow("ended")
  })
})

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}
