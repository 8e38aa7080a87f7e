import { createHash, randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { GetObjectCommand, HeadBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import type { Bytes, PutBlob, ReadBlob } from "@paraph/core/ports"
import { open, seal, sealedSize } from "./seal.ts"
import { newKey, unwrapKey, wrapKey } from "./wrap.ts"

export type BlobSettings = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
}

export type Blobs = {
  readonly putBlob: PutBlob
  readonly readBlob: ReadBlob
  /** Throws when the bucket cannot be reached. */
  readonly health: () => Promise<void>
  readonly close: () => void
}

/** Sealed bytes in an S3 bucket: one immutable object and one AES-256 key per document version (ADR 0008). */
export function createBlobs(
  settings: BlobSettings,
  businessKey: (businessId: string) => Promise<Uint8Array>,
): Blobs {
  const { bucket } = settings
  const s3 = client(settings)
  return {
    putBlob: async (businessId, sizeBytes, bytes) => {
      const name = `documents/${randomUUID()}`
      const context = `${businessId} ${name}`
      const key = newKey()
      const hash = createHash("sha256")
      const sealed = seal(key, context, counted(bytes, sizeBytes, hash))
      await put(s3, { Bucket: bucket, Key: name, ContentLength: sealedSize(sizeBytes) }, sealed)
      const wrappedKey = wrapKey(await businessKey(businessId), key, context)
      return { blob: { name, wrappedKey }, sha256: hash.digest("hex") }
    },
    readBlob: async function* (businessId, { name, wrappedKey }) {
      const context = `${businessId} ${name}`
      const key = unwrapKey(await businessKey(businessId), wrappedKey, context)
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: name }))
      if (!(Body instanceof Readable)) throw new Error("The object has no body.")
      yield* open(key, context, Body)
    },
    health: async () => {
      await s3.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(3_000) })
    },
    close: () => s3.destroy(),
  }
}

const ignore = () => undefined

const client = (settings: BlobSettings): S3Client =>
  new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
    // Stores other than AWS do not all know the newer checksums; GCM proves the bytes anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A server that hangs is a server that is down: nothing moves for this long, and the call ends.
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 15_000 },
    // Errors are thrown to us; the client need not write them to our output as well.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  })

type Target = { readonly Bucket: string; readonly Key: string; readonly ContentLength: number }

/** A source that fails ends the upload with its own error; the client would wait for the missing bytes for ever. */
async function put(s3: S3Client, target: Target, bytes: Bytes): Promise<void> {
  const upload = new AbortController()
  const Body = Readable.from(bytes, { objectMode: false })
  let fault: Error | undefined
  Body.once("error", (error) => {
    fault = error
    upload.abort()
  })
  try {
    await s3.send(new PutObjectCommand({ ...target, Body, IfNoneMatch: "*" }), { abortSignal: upload.signal })
  } catch (error) {
    throw fault ?? error
  }
}

async function* counted(bytes: Bytes, sizeBytes: number, hash: { update: (piece: Uint8Array) => unknown }) {
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.length
    hash.update(piece)
    yield piece
  }
  if (seen !== sizeBytes) throw new Error("The bytes have another size than was said.")
}
