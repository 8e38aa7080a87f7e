import { createHash, randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3"
import type { Bytes } from "@paraph/core/ports"
import { afterAll, beforeAll, expect, it } from "vitest"
import { stackSettings } from "../testing/own-database.ts"
import { type BlobSettings, type Blobs, createBlobs } from "./blobs.ts"
import { sealedSize } from "./seal.ts"

const keys = new Map<string, Buffer>()
const ACME = newBusiness()
const OTHER = newBusiness()
let settings: BlobSettings
let blobs: Blobs
let s3: S3Client

beforeAll(() => {
  const stack = stackSettings()
  settings = {
    endpoint: stack.S3_ENDPOINT ?? "",
    region: stack.S3_REGION ?? "",
    bucket: stack.S3_BUCKET ?? "",
    accessKey: stack.S3_ACCESS_KEY ?? "",
    secretKey: readFileSync(stack.S3_SECRET_KEY_FILE ?? "", "utf8").trim(),
  }
  blobs = createBlobs(settings, keyOf)
  // An administrator of the bucket, who sees what lies in it.
  s3 = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
  })
})

afterAll(() => {
  blobs.close()
  s3.destroy()
})

it.each([0, 1, 1 << 20, (3 << 20) + 12_345])(
  "gives back %i bytes as they were put, with their hash",
  async (size) => {
    const bytes = randomBytes(size)
    const { blob, sha256 } = await blobs.putBlob(ACME, size, piecesOf(bytes))
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
    expect((await collect(blobs.readBlob(ACME, blob))).equals(bytes)).toBe(true)
  },
)

it("stores nothing of the plain text, and two equal documents as two different ones", async () => {
  const text = Buffer.alloc(100_000, "a canary in the coal mine ")
  const stored = await Promise.all([1, 2].map(() => blobs.putBlob(ACME, text.length, piecesOf(text))))
  const [one, other] = await Promise.all(stored.map(({ blob }) => objectOf(blob.name)))
  if (one === undefined || other === undefined) throw new Error("An object is missing.")
  for (const object of [one, other]) {
    expect(object.length).toBe(sealedSize(text.length))
    expect(object.includes("canary")).toBe(false)
  }
  expect(one.equals(other)).toBe(false)
  expect(stored[0]?.blob.wrappedKey).not.toEqual(stored[1]?.blob.wrappedKey)
})

it("refuses to read one document's bytes as another's", async () => {
  const [one, other] = await Promise.all(
    ["mine", "yours"].map((text) => blobs.putBlob(ACME, text.length, piecesOf(Buffer.from(text)))),
  )
  if (one === undefined || other === undefined) throw new Error("A blob is missing.")
  const swapped = { name: other.blob.name, wrappedKey: one.blob.wrappedKey }
  await expect(collect(blobs.readBlob(ACME, swapped))).rejects.toThrow()
})

it("refuses to read the bytes of one business in the name of another", async () => {
  const { blob } = await blobs.putBlob(ACME, 4, piecesOf(Buffer.from("mine")))
  await expect(collect(blobs.readBlob(OTHER, blob))).rejects.toThrow()
})

it("ends with the error of a source that fails half-way, or has another size than was said", async () => {
  const broken = async function* () {
    yield randomBytes(2 << 20)
    throw new Error("the line went dead")
  }
  await expect(blobs.putBlob(ACME, 4 << 20, broken())).rejects.toThrow("the line went dead")
  await expect(blobs.putBlob(ACME, 10, piecesOf(randomBytes(9)))).rejects.toThrow("another size")
})

it("says that a bucket is there, and that another is not", async () => {
  await blobs.health()
  const nowhere = createBlobs({ ...settings, bucket: "no-such-bucket" }, keyOf)
  await expect(nowhere.health()).rejects.toThrow()
  nowhere.close()
})

function newBusiness(): string {
  const id = randomUUID()
  keys.set(id, randomBytes(32))
  return id
}

async function keyOf(businessId: string): Promise<Uint8Array> {
  const key = keys.get(businessId)
  if (key === undefined) throw new Error("There is no such business.")
  return key
}

async function objectOf(name: string): Promise<Buffer> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: settings.bucket, Key: name }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

async function* piecesOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 70_001) yield bytes.subarray(at, at + 70_001)
}

async function collect(pieces: Bytes): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
