// A real S3 server over a folder: versitygw, with one bucket.
import { createHash, createHmac } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { comesTrue, isAlive, launch, portAgain, stop } from "./process.ts"
import { secret } from "./secrets.ts"
import type { Service } from "./state.ts"

export const s3Region = "us-east-1"
export const s3Bucket = "paraph"

export async function startS3(root: string, dir: string, earlier?: Service): Promise<Service> {
  // Metadata beside the objects, not in extended attributes, which not every file system has.
  const [objects, metadata] = [join(dir, "s3", "objects"), join(dir, "s3", "metadata")]
  for (const folder of [objects, metadata]) await mkdir(folder, { recursive: true, mode: 0o700 })
  const logFile = join(dir, "log", "s3.log")
  const port = await portAgain(earlier?.port)
  const keys = await s3Keys(dir)

  const running = await launch({
    command: versitygw(root),
    args: [
      "--port",
      `127.0.0.1:${port}`,
      "--health",
      "/health",
      "--quiet",
      "posix",
      "--sidecar",
      metadata,
      objects,
    ],
    // By the environment: arguments can be read by everyone on the machine.
    env: { ROOT_ACCESS_KEY: keys.access, ROOT_SECRET_KEY: keys.secret, VGW_REGION: s3Region },
    logFile,
  })
  const decided = async () => (await s3Answers(port)) || !(await isAlive(running))
  await comesTrue(decided, 20_000)
  if (!(await s3Answers(port))) {
    await stop(running)
    throw new Error(`versitygw does not start; see ${logFile}`)
  }
  await makeBucket(port, keys)
  return { port, process: running }
}

export async function s3Answers(port: number): Promise<boolean> {
  const asked = fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_000) })
  return asked.then(
    (answer) => answer.ok,
    () => false,
  )
}

export async function s3Keys(dir: string): Promise<{ readonly access: string; readonly secret: string }> {
  return { access: await secret(dir, "s3-access-key"), secret: await secret(dir, "s3-secret-key") }
}

function versitygw(root: string): string {
  const own = join(root, ".tools", "bin", "versitygw")
  return existsSync(own) ? own : "versitygw"
}

/** PUT of the bucket, signed by hand with AWS Signature Version 4, so that the stack needs no S3 client. */
export async function makeBucket(
  port: number,
  keys: { access: string; secret: string },
  bucket = s3Bucket,
): Promise<void> {
  const host = `127.0.0.1:${port}`
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")
  const scope = `${time.slice(0, 8)}/${s3Region}/s3/aws4_request`
  const emptyBody = sha256("")
  const names = "host;x-amz-content-sha256;x-amz-date"
  const headers = `host:${host}\nx-amz-content-sha256:${emptyBody}\nx-amz-date:${time}\n`
  const canonical = `PUT\n/${bucket}\n\n${headers}\n${names}\n${emptyBody}`
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`
  const key = scope
    .split("/")
    .reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${keys.secret}`)
  const signature = hmac(key, toSign).toString("hex")

  const answer = await fetch(`http://${host}/${bucket}`, {
    method: "PUT",
    headers: {
      "x-amz-date": time,
      "x-amz-content-sha256": emptyBody,
      authorization: `AWS4-HMAC-SHA256 Credential=${keys.access}/${scope},SignedHeaders=${names},Signature=${signature}`,
    },
  })
  const text = await answer.text()
  if (!answer.ok && !text.includes("BucketAlreadyOwnedByYou"))
    throw new Error(`The bucket could not be made: ${answer.status} ${text}`)
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest()
}
