import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { promisify } from "node:util"
import { deflateSync } from "node:zlib"
import type { Document } from "@paraph/core/document/model"
import { afterAll, beforeAll, expect, it } from "vitest"
import { rotateBusinessKey } from "../keys/rotate.ts"
import { createOwnBucket, type OwnBucket } from "../testing/own-bucket.ts"
import { NOW, sampleRequest, type Tenant } from "../testing/own-database.ts"
import { createOwnStore, type OwnStore } from "../testing/own-store.ts"
import { collect } from "../testing/sealed-files.ts"
import type { Bucket } from "./bucket.ts"
import { createS3Bucket } from "./s3-bucket.ts"

let s3: OwnBucket
let bucket: Bucket
let store: OwnStore

beforeAll(async () => {
  s3 = await createOwnBucket()
  bucket = createS3Bucket(s3.settings)
  store = await createOwnStore({ bucket })
})
afterAll(async () => {
  await store?.close()
  bucket?.close()
  await s3?.close()
})

const PAGE = "canary-of-the-page"
const FIELD = "canary-of-the-field"
const METADATA = "canary-of-the-metadata"
const TAIL = "canary-of-the-tail"
const TITLE = "canary-of-the-title"

/** As far as it matters here: text of a page, packed and not, a field, and metadata. */
const PDF = Buffer.concat([
  Buffer.from(
    `%PDF-1.7\n1 0 obj <</Author (${METADATA}) /T (${FIELD})>> endobj\nstream\nBT (${PAGE}) Tj ET\n`,
  ),
  deflateSync(`BT (${PAGE}) Tj ET`),
  Buffer.alloc(600_000, `${PAGE} ${METADATA} `),
])

it("[R35] all rows and all objects, without the operator's key, hold nothing of what a PDF says", async () => {
  const tenant = await store.tenant()
  const signatureFields = [{ name: FIELD, signed: false, positions: [] }]
  const document = await store.upload(tenant, PDF, { title: TITLE, signatureFields, pdfa: "PDF/A-2B" })
  await store.upload(tenant, PDF, { signatureFields })
  await keepIntent(tenant, document)
  const removed = await store.upload(tenant, PDF, { signatureFields })
  await store.remove(removed)
  await rotateBusinessKey(store.database.db, store.ring, tenant.businessId, NOW)
  const keys = await Promise.all([document, removed].map((one) => store.blobs.keyOf(one)))

  const dump = await dumped(store.database.url)
  const objects: Buffer[] = []
  for await (const { name } of bucket.list()) objects.push(await collect(bucket.get(name)))
  expect(objects).toHaveLength(3)
  // It is a dump of the rows that matter, and the titles in it are what the service searches in.
  expect(dump.includes(document.id)).toBe(true)
  expect(dump.includes(TITLE)).toBe(true)

  const secrets = [
    PAGE,
    FIELD,
    METADATA,
    TAIL,
    "PDF/A-2B",
    "%PDF",
    deflateSync(`BT (${PAGE}) Tj ET`),
    ...keys,
  ]
  const decoded = decodedIn(dump)
  expect(decoded.length).toBeGreaterThan(0)
  for (const place of [dump, ...decoded, ...objects])
    for (const secret of secrets)
      for (const form of formsOf(Buffer.from(secret))) expect(place.includes(form)).toBe(false)
  // The search finds what is there.
  expect(formsOf(Buffer.from(TITLE)).some((form) => dump.includes(form))).toBe(true)
  const plain = JSON.stringify({ tail: Buffer.from(`<</Contents (${TAIL})>>`).toString("base64") })
  expect(decodedIn(Buffer.from(plain)).some((bytes) => bytes.includes(TAIL))).toBe(true)
  expect(PDF.includes(formsOf(Buffer.from(METADATA))[0] ?? "")).toBe(true)

  // What was removed is shredded: its object is still there, and no row has its key.
  expect(dump.includes(removed.id)).toBe(false)
  expect(dump.includes(removed.blob.name)).toBe(true)
  expect(dump.includes(Buffer.from(removed.blob.wrappedKey).toString("hex"))).toBe(false)
})

/** What will be appended to a PDF repeats objects of it, in Base64. */
async function keepIntent(tenant: Tenant, document: Document): Promise<void> {
  const { id, sha256 } = document
  const request = sampleRequest(tenant, [document], 1)
  const tail = Buffer.from(`3 0 obj <</Type /Page /Annots [<</Contents (${TAIL})>>]>> endobj`).toString(
    "base64",
  )
  const prepared = { signedAttributes: "MQ==", certificateSha256: "01", baseSha256: sha256, engine: { tail } }
  const signatureId = request.signatures[0]?.id ?? ""
  const of = { signatureId, documentId: id, baseId: id, versionId: randomUUID() }
  await store.transact(tenant.businessId, async (tx) => {
    await tx.insertRequest(request)
    await tx.keepIntent({ ...of, prepared, value: null, stamp: null, createdAt: NOW })
  })
}

/** Whatever in it may be Base64, decoded, and what in that may be Base64 again. */
const decodedIn = (place: Buffer): readonly Buffer[] =>
  [...place.toString("latin1").matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].flatMap(([text]) => {
    const decoded = Buffer.from(text, "base64")
    return [decoded, ...decodedIn(decoded)]
  })

/** As it is, and as PostgreSQL writes bytes. */
const formsOf = (bytes: Buffer): readonly (Buffer | string)[] => [
  bytes,
  bytes.toString("hex"),
  bytes.toString("base64").replace(/=+$/, "").slice(0, -1),
]

async function dumped(url: string): Promise<Buffer> {
  const { stdout } = await promisify(execFile)("pg_dump", ["--enable-row-security", "--dbname", url], {
    encoding: "buffer",
    maxBuffer: 1 << 28,
  })
  return stdout
}
