import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3"
import type { S3Settings } from "../blobs/s3-client.ts"
import { stackSettings } from "./own-database.ts"

/** For tests: an empty bucket on the S3 server of the stack, and an administrator who sees what lies in it. */
export type OwnBucket = {
  readonly settings: S3Settings
  readonly administrator: S3Client
  /** Takes it away again. */
  readonly close: () => Promise<void>
}

export async function createOwnBucket(): Promise<OwnBucket> {
  const stack = stackSettings()
  const settings = {
    endpoint: stack.S3_ENDPOINT ?? "",
    region: stack.S3_REGION ?? "",
    bucket: `test-${randomBytes(6).toString("hex")}`,
    keys: {
      accessKey: stack.S3_ACCESS_KEY ?? "",
      secretKey: readFileSync(stack.S3_SECRET_KEY_FILE ?? "", "utf8").trim(),
    },
  }
  const administrator = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.keys.accessKey, secretAccessKey: settings.keys.secretKey },
  })
  const Bucket = settings.bucket
  await administrator.send(new CreateBucketCommand({ Bucket }))
  const close = async () => {
    for (;;) {
      const { Contents = [] } = await administrator.send(new ListObjectsV2Command({ Bucket }))
      if (Contents.length === 0) break
      const Delete = { Objects: Contents.map(({ Key }) => ({ Key })) }
      await administrator.send(new DeleteObjectsCommand({ Bucket, Delete }))
    }
    await administrator.send(new DeleteBucketCommand({ Bucket }))
    administrator.destroy()
  }
  return { settings, administrator, close }
}
