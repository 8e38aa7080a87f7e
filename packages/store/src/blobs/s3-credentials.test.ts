import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { createOwnBucket, type OwnBucket } from "../testing/own-bucket.ts"
import { createS3Bucket } from "./s3-bucket.ts"

let own: OwnBucket
const folder = mkdtempSync(join(tmpdir(), "paraph-s3-"))
const answer = join(folder, "answer.json")

beforeAll(async () => {
  own = await createOwnBucket()
  const config = join(folder, "config")
  // A program of the platform, asked as SDKs of AWS ask it. What it answers expires.
  writeFileSync(config, `[default]\ncredential_process = cat ${answer}\n`)
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"])
    vi.stubEnv(name, undefined)
  vi.stubEnv("AWS_CONFIG_FILE", config)
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "none"))
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true")
})
afterAll(async () => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  await own.close()
})

const says = (AccessKeyId: string, SecretAccessKey: string, seconds: number) =>
  writeFileSync(
    answer,
    JSON.stringify({
      Version: 1,
      AccessKeyId,
      SecretAccessKey,
      Expiration: new Date(Date.now() + seconds * 1000).toISOString(),
    }),
  )

it("[13.2.1] the platform's credentials open the bucket, and new ones count once the old ones expire", async () => {
  const { accessKey, secretKey } = own.settings.keys ?? { accessKey: "", secretKey: "" }
  says("wrong", "wrong-wrong", 1)
  const bucket = createS3Bucket({ ...own.settings, keys: null })
  await expect(bucket.health()).rejects.toThrow()
  // The client asks again when a credential nears its end, while it still answers calls with the one that it has.
  says(accessKey, secretKey, 3600)
  await vi.waitFor(() => bucket.health(), { timeout: 20_000, interval: 100 })
  bucket.close()
})
