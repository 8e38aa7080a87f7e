import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { GetObjectCommand, type GetObjectCommandInput } from "@aws-sdk/client-s3"
import { assertName, assertRange, BucketLied, ObjectMissing, type Range, RangeOutside } from "./bucket.ts"
import { isSilence, mayPass, silence, statusOf } from "./s3-attempts.ts"
import type { S3 } from "./s3-client.ts"

/** So many bytes between two breaks show that the bucket works; the attempts are counted anew. */
const PROGRESS_BYTES = 64 << 10

/**
 * The bytes of an object or of a range of it. A transfer that breaks is taken up at the byte it had reached, on the
 * condition that it is still the same object; so a download lives on when the store is started again.
 */
export async function* getObject(s3: S3, name: string, range?: Range): AsyncGenerator<Uint8Array> {
  assertName(name)
  if (range) assertRange(range)
  if (range && range.start === range.end) return
  let begun = false
  let rest: Rest = { at: range?.start ?? 0, end: range?.end, etag: undefined }
  for (let breaks = 0, since = 0; ; ) {
    let silent: NodeJS.Timeout | undefined
    try {
      const opened = await openBody(s3, name, rest)
      rest = opened.rest
      // The clock runs only while we wait for the store: whoever reads the document may take all the time they need.
      silent = endWhenSilent(opened.body, s3.timing.silenceMs)
      for await (const piece of opened.body) {
        clearTimeout(silent)
        rest = { ...rest, at: rest.at + piece.length }
        since += piece.length
        begun = true
        yield piece
        silent = endWhenSilent(opened.body, s3.timing.silenceMs)
      }
      if (rest.at === rest.end) return
      throw new BucketLied(`The bucket gave ${rest.at} bytes of ${rest.end}.`)
    } catch (error) {
      if (since >= PROGRESS_BYTES) [breaks, since] = [0, 0]
      const pauseMs = s3.timing.pausesMs[breaks]
      if (!mayPass(error) || pauseMs === undefined || s3.isClosed()) throw error
      // As long as nothing was given out, whoever waits can still be told that the bucket hangs.
      if (isSilence(error) && !begun) throw error
      breaks += 1
      await sleep(pauseMs)
    } finally {
      clearTimeout(silent)
    }
  }
}

/** What is still to come; the end and the tag are known from the first answer on. */
type Rest = { readonly at: number; readonly end: number | undefined; readonly etag: string | undefined }

async function openBody(s3: S3, name: string, rest: Rest): Promise<{ body: Readable; rest: Rest }> {
  const answer = await ask(s3, name, rest)
  const { Body, ContentLength, ContentRange, ETag } = answer
  if (!(Body instanceof Readable) || ContentLength === undefined)
    throw new BucketLied("The bucket gave an object without its bytes or its length.")
  const end = rest.end ?? ContentLength
  const fault = faultOf(name, rest, rest.at + ContentLength - end, ContentRange)
  if (fault) {
    Body.destroy()
    throw fault
  }
  return { body: Body, rest: { at: rest.at, end, etag: rest.etag ?? ETag } }
}

/** A store that knows no ranges sends the object from its beginning, and says so only by leaving out a header. */
function faultOf(
  name: string,
  rest: Rest,
  excess: number,
  contentRange: string | undefined,
): Error | undefined {
  const isPart = rest.at > 0 || rest.end !== undefined
  if (isPart && !contentRange?.startsWith(`bytes ${rest.at}-`))
    return new BucketLied("The bucket gave another range than was asked.")
  if (excess > 0) return new BucketLied("The bucket gave more bytes than were asked.")
  return excess < 0 ? new RangeOutside(name) : undefined
}

async function ask(s3: S3, name: string, { at, end, etag }: Rest) {
  const asked: GetObjectCommandInput = { Bucket: s3.bucket, Key: name }
  if (at > 0 || end !== undefined) asked.Range = `bytes=${at}-${end === undefined ? "" : end - 1}`
  if (etag !== undefined) asked.IfMatch = etag
  const opening = new AbortController()
  const timer = setTimeout(() => opening.abort(), s3.timing.silenceMs)
  try {
    return await s3.gets.send(new GetObjectCommand(asked), { abortSignal: opening.signal })
  } catch (error) {
    const status = statusOf(error)
    // A bucket that is not there says nothing about the object.
    if (status === 404 && !isNamed(error, "NoSuchBucket")) throw new ObjectMissing(name, { cause: error })
    if (status === 416) throw new RangeOutside(name, { cause: error })
    if (status === 412) throw new Error(`The object ${name} was changed while it was read.`, { cause: error })
    throw opening.signal.aborted ? silence(s3.timing.silenceMs, error) : error
  } finally {
    // From here on the signal would end the body, however well it moves.
    clearTimeout(timer)
  }
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name

const endWhenSilent = (body: Readable, ms: number): NodeJS.Timeout =>
  setTimeout(() => body.destroy(silence(ms)), ms)
