// What a signature is at the least: the document prepared, C_Sign, the bytes put, one row written. Each measured by itself, by
// what this process and the token's spend, and the bucket and PostgreSQL, as they are counted for ours.
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import type { Stack } from "../../../scripts/stack/stack.ts"
import { startWatch } from "../fastest.ts"
import { writeIdentity } from "../identity.ts"
import { readIdentity } from "../identity-files.ts"
import { removeScratch } from "../inputs.ts"
import { openBare } from "../key-work.ts"
import { signOnce } from "../paraph.ts"
import { bareRow } from "./bare-row.ts"
import { beside } from "./spent-beside.ts"

const TIMES = 200
type Env = Readonly<Record<string, string>>

export async function bareSigning(
  { services: { postgres, s3 } }: Pick<Stack, "services">,
  env: Env,
  pdf: Uint8Array,
): Promise<{ readonly processorMs: number }> {
  const parts = {
    prepare: await prepared(pdf),
    sign: await signed(env),
    put: await put(env, pdf, s3.process.pid),
    row: await bareRow(env.DATABASE_OWNER_URL ?? "", postgres.process.pid),
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

async function put(env: Env, bytes: Uint8Array, server: number): Promise<number> {
  const s3 = new S3Client({
    endpoint: env.S3_ENDPOINT ?? "",
    region: env.S3_REGION ?? "",
    forcePathStyle: true,
    credentials: {
      accessKeyId: env.S3_ACCESS_KEY ?? "",
      secretAccessKey: readFileSync(env.S3_SECRET_KEY_FILE ?? "", "utf8"),
    },
  })
  try {
    return await beside(server, TIMES, () =>
      s3.send(new PutObjectCommand({ Bucket: env.S3_BUCKET, Key: `bench/${randomUUID()}`, Body: bytes })),
    )
  } finally {
    s3.destroy()
  }
}
