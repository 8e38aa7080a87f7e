import {
  DeleteObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3"
import {
  assertName,
  type Bucket,
  BucketLied,
  type Listed,
  MARKS,
  type Mark,
  markOf,
  nameOfMark,
  PREFIX,
} from "./bucket.ts"
import { repeatedly, within } from "./s3-attempts.ts"
import { openS3, type S3, type S3Settings } from "./s3-client.ts"
import { getObject } from "./s3-get.ts"
import { putObject } from "./s3-put.ts"

/** A bucket with the S3 API (R36): conditional writes, checksums, and a look at what was stored. */
export function createS3Bucket(settings: S3Settings): Bucket {
  const s3 = openS3(settings)
  const { timing } = s3
  const remove = (Key: string) => {
    const command = new DeleteObjectCommand({ Bucket: s3.bucket, Key })
    return within(timing.silenceMs, (abortSignal) => s3.questions.send(command, { abortSignal }))
  }
  return {
    put: async (name, file) => {
      assertName(name)
      await putObject(s3, name, file)
    },
    get: (name, range) => getObject(s3, name, range),
    remove: async (name) => {
      assertName(name)
      await repeatedly(s3, () => remove(name))
    },
    list: (after) => listObjects(s3, PREFIX, after),
    markErased: async (mark) => {
      const command = new PutObjectCommand({ Bucket: s3.bucket, Key: nameOfMark(mark), Body: "" })
      await repeatedly(s3, () =>
        within(timing.silenceMs, (abortSignal) => s3.questions.send(command, { abortSignal })),
      )
    },
    listErased: () => listMarks(s3),
    health: async () => {
      const command = new HeadBucketCommand({ Bucket: s3.bucket })
      await within(timing.lookMs, (abortSignal) => s3.questions.send(command, { abortSignal }))
    },
    close: s3.close,
  }
}

/** Page by page; each begins after the last name, so it does not matter how long the reader takes between two. */
async function* listObjects(s3: S3, prefix: string, after?: string): AsyncGenerator<Listed> {
  let last = after ?? prefix
  for (let more = true; more; ) {
    const command = new ListObjectsV2Command({ Bucket: s3.bucket, Prefix: prefix, StartAfter: last })
    const page = await repeatedly(s3, () =>
      within(s3.timing.silenceMs, (abortSignal) => s3.questions.send(command, { abortSignal })),
    )
    for (const { Key = "", Size, LastModified } of page.Contents ?? []) {
      // A list out of order would let a sweep take objects for missing, or go round for ever.
      if (Key <= last) throw new BucketLied("The bucket lists its objects out of order.")
      if (Size === undefined || LastModified === undefined)
        throw new BucketLied("The bucket lists an object without its size or time.")
      last = Key
      yield { name: Key, sizeBytes: Size, modifiedAt: LastModified }
    }
    more = page.IsTruncated === true
    if (more && (page.Contents ?? []).length === 0) throw new BucketLied("The list of the bucket has no end.")
  }
}

async function* listMarks(s3: S3): AsyncGenerator<Mark> {
  for await (const { name } of listObjects(s3, MARKS)) {
    const mark = markOf(name)
    if (mark !== null) yield mark
  }
}
