import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3"
import { BucketLied, NameTaken, type SealedBytes } from "./bucket.ts"
import { isSilence, mayPass, repeatedly, statusOf, within } from "./s3-attempts.ts"
import type { S3 } from "./s3-client.ts"

const ATTEMPTS = 3

/** Larger pieces cost less of the processor, smaller ones less memory; 64 KiB cost half as much time again. */
const PIECE_BYTES = 256 << 10

/**
 * Stores a file as a new object (R36). What an attempt came to is not guessed from how it ended: the bucket is asked
 * each time. So an answer that got lost costs no second transfer, and an answer that was a lie is found out.
 */
export async function putObject(s3: S3, name: string, file: SealedBytes): Promise<void> {
  // The client would wait for missing bytes until the server loses its patience.
  const { size } = await stat(file.path)
  if (size !== file.sizeBytes) throw new Error("The file has another size than was said.")
  for (let nth = 1, lies = 0; ; nth += 1) {
    const failure = await send(s3, name, file)
    const taken = statusOf(failure) === PRECONDITION_FAILED
    // Before the first attempt nothing of ours was there; later it may be what we took for lost.
    if (taken && nth === 1) throw new NameTaken(name, { cause: failure })
    if (failure !== null && !taken && (!mayPass(failure) || s3.isClosed())) throw failure

    const found = await lookAfter(s3, name, file, taken ? null : failure)
    if (found === "whole") return
    if (taken || (found === "other" && failure !== null)) throw new NameTaken(name, { cause: failure })
    if (failure === null) lies += 1
    const error = failure ?? new BucketLied(`The bucket took the object ${name}, and holds ${STATES[found]}.`)
    if (found === "other" || lies === 2 || nth === ATTEMPTS) throw error
    await sleep(s3.timing.pausesMs[nth - 1])
  }
}

const PRECONDITION_FAILED = 412

/** One attempt, from the first byte of the file; gives the error that it ended with. */
async function send(s3: S3, name: string, file: SealedBytes): Promise<Error | null> {
  const upload = new AbortController()
  const Body = bodyOf(file)
  let fault: Error | undefined
  // A file that cannot be read ends the upload with its own error; the client would wait for its bytes for ever.
  Body.once("error", (error) => {
    fault = error
    upload.abort()
  })
  const command = new PutObjectCommand({
    Bucket: s3.bucket,
    Key: name,
    Body,
    ContentLength: file.sizeBytes,
    ChecksumCRC32: base64Of(file.crc32),
    IfNoneMatch: "*",
  })
  try {
    await s3.puts.send(command, { abortSignal: upload.signal })
    return null
  } catch (error) {
    // A store that refuses early leaves a connection on which it still waits for the rest.
    upload.abort()
    return fault ?? (error instanceof Error ? error : new Error(String(error)))
  } finally {
    Body.destroy()
  }
}

function bodyOf({ path, sizeBytes }: SealedBytes): Readable {
  // A stream over no bytes cannot be asked for: `end` is the last byte, not the one behind it.
  if (sizeBytes === 0) return Readable.from([])
  return createReadStream(path, { end: sizeBytes - 1, highWaterMark: PIECE_BYTES })
}

/** S3 writes the four bytes of a CRC-32 in network order. */
function base64Of(crc32: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32 >>> 0)
  return bytes.toString("base64")
}

type Found = "whole" | "missing" | "other"

const STATES = { whole: "it", missing: "none", other: "another" } as const satisfies Record<Found, string>

/** After an attempt that failed the look must be quick and may fail too; after one that went well it must be had. */
async function lookAfter(s3: S3, name: string, file: SealedBytes, failure: Error | null): Promise<Found> {
  if (failure === null) return repeatedly(s3, () => look(s3, name, file, s3.timing.silenceMs))
  try {
    return await look(s3, name, file, s3.timing.lookMs)
  } catch (error) {
    if (!mayPass(error)) throw error
    // The bucket hangs. Whoever waits for this upload should hear of it now, not after two more silences.
    if (isSilence(error)) throw failure
    return "missing"
  }
}

async function look(s3: S3, name: string, file: SealedBytes, ms: number): Promise<Found> {
  const command = new HeadObjectCommand({ Bucket: s3.bucket, Key: name, ChecksumMode: "ENABLED" })
  try {
    const head = await within(ms, (abortSignal) => s3.questions.send(command, { abortSignal }))
    if (head.ContentLength !== file.sizeBytes) return "other"
    // Not every store tells a checksum; one that does must tell ours.
    const { ChecksumCRC32 = base64Of(file.crc32) } = head
    return ChecksumCRC32 === base64Of(file.crc32) ? "whole" : "other"
  } catch (error) {
    if (statusOf(error) === 404) return "missing"
    throw error
  }
}
