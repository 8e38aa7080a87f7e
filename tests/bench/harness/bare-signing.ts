// What a signature is at the least: the document prepared, C_Sign, the bytes put, one row written. Each measured by itself,
// by what this process (and the token's) spends. What the bucket and PostgreSQL spend on it is left out here, and counted for ours.
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { startWatch } from "../fastest.ts"
import { writeIdentity } from "../identity.ts"
import { readIdentity } from "../identity-files.ts"
import { removeScratch } from "../inputs.ts"
import { openBare } from "../key-work.ts"
import { signOnce } from "../paraph.ts"
import { bareRow } from "./bare-row.ts"

const TIMES = 200
type Env = Readonly<Record<string, string>>

export async function bareSigning(env: Env, pdf: Uint8Array): Promise<{ readonly processorMs: number }> {
  const parts = {
    prepare: await prepared(pdf),
    sign: await signed(env),
    put: await put(env, pdf),
    row: await bareRow(env.DATABASE_URL ?? ""),
  }
  if (process.env.BENCH_DETAIL) console.log("bare", parts)
  return { processorMs: Object.values(parts).reduce((sum, ms) => sum + ms, 0) }
}

async function prepared(pdf: Uint8Array): Promise<number> {
  const identity = readIdentity(await writeIdentity("P-256"))
  // With a value by node:crypto in it: the engine looks whether the value is the certificate's.
  const once = () => signOnce(pdf, identity)
  for (let n = 0; n < TIMES; n += 1) once()
  const stop = startWatch()
  for (let n = 0; n < TIMES; n += 1) once()
  removeScratch()
  return stop().processorMs / TIMES
}

async function signed(env: Env): Promise<number> {
  const token = openBare(env)
  await token.sign(TIMES)
  const { processorMs } = await token.sign(TIMES)
  token.close()
  return processorMs
}

async function put(env: Env, bytes: Uint8Array): Promise<number> {
  const s3 = new S3Client({
    endpoint: env.S3_ENDPOINT ?? "",
    region: env.S3_REGION ?? "",
    forcePathStyle: true,
    credentials: {
      accessKeyId: env.S3_ACCESS_KEY ?? "",
      secretAccessKey: readFileSync(env.S3_SECRET_KEY_FILE ?? "", "utf8"),
    },
  })
  const once = () =>
    s3.send(new PutObjectCommand({ Bucket: env.S3_BUCKET, Key: `bench/${randomUUID()}`, Body: bytes }))
  for (let n = 0; n < TIMES; n += 1) await once()
  const stop = startWatch()
  for (let n = 0; n < TIMES; n += 1) await once()
  const { processorMs } = stop()
  s3.destroy()
  return processorMs / TIMES
}
