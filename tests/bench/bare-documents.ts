// What nobody can save: the same bytes through the same steps to the same S3 server, with no service around them.
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { Readable } from "node:stream"
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3"

const PIECE_BYTES = 65_536

export type Bare = {
  /** Base64 decoded, SHA-256, AES-256-GCM, put; answers the milliseconds. */
  readonly upload: (base64: Buffer) => Promise<number>
  /** Get and decrypt what was uploaded last; the tag is proved at the end. */
  readonly download: () => Promise<number>
  readonly close: () => void
}

export function openBare(env: Readonly<Record<string, string>>): Bare {
  const Bucket = env.S3_BUCKET
  const s3 = new S3Client({
    endpoint: env.S3_ENDPOINT ?? "",
    region: env.S3_REGION ?? "",
    forcePathStyle: true,
    credentials: {
      accessKeyId: env.S3_ACCESS_KEY ?? "",
      secretAccessKey: readFileSync(env.S3_SECRET_KEY_FILE ?? "", "utf8"),
    },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  })
  let last = { Key: "", key: randomBytes(32), nonce: randomBytes(12), tag: Buffer.alloc(16) }

  const upload = async (base64: Buffer): Promise<number> => {
    const started = performance.now()
    const [Key, key, nonce] = [`bench/${randomUUID()}`, randomBytes(32), randomBytes(12)]
    const hash = createHash("sha256")
    const cipher = createCipheriv("aes-256-gcm", key, nonce)
    const sealed = function* () {
      for (let at = 0; at < base64.length; at += PIECE_BYTES) {
        const bytes = Buffer.from(base64.toString("latin1", at, at + PIECE_BYTES), "base64")
        hash.update(bytes)
        yield cipher.update(bytes)
      }
      cipher.final()
    }
    const ContentLength =
      (base64.length / 4) * 3 - (base64.toString("latin1", base64.length - 2).match(/=/g) ?? []).length
    const Body = Readable.from(sealed(), { objectMode: false })
    await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }))
    hash.digest()
    last = { Key, key, nonce, tag: cipher.getAuthTag() }
    return performance.now() - started
  }
  const download = async (): Promise<number> => {
    const started = performance.now()
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: last.Key }))
    const decipher = createDecipheriv("aes-256-gcm", last.key, last.nonce).setAuthTag(last.tag)
    for await (const piece of Body as Readable) decipher.update(piece as Buffer)
    decipher.final()
    return performance.now() - started
  }
  return { upload, download, close: () => s3.destroy() }
}
