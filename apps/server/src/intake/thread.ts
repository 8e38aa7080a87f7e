// The thread that takes large bodies in: decodes, hashes, seals and writes them, apart from the event loop that serves
// everybody else. Its heap is small, so that the many buffers which such a body goes through are cheap to collect.
import { rm } from "node:fs/promises"
import { parentPort } from "node:worker_threads"
import { createContentScanner } from "@paraph/contract/shared/content-scanner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { takeInto } from "@paraph/store/blobs/spool"
import type { Failure, FromThread, Taken, ToThread } from "./messages.ts"
import { createQueue, type Queue } from "./queue.ts"

const bodies = new Map<number, Queue<Uint8Array>>()

parentPort?.on("message", (message: ToThread) => {
  const queue = bodies.get(message.id)
  if (message.type === "begin") begin(message)
  else if (message.type === "piece") queue?.push(message.bytes)
  else if (message.whole) queue?.end()
  else queue?.fail(new Refusal("constraint-violated", "The body was cut off."))
})

function begin(message: Extract<ToThread, { type: "begin" }>): void {
  const { id } = message
  const queue = createQueue<Uint8Array>((piece) => say({ type: "took", id, bytes: piece.length }))
  bodies.set(id, queue)
  take(message, queue.items)
    .then(
      (taken) => say({ type: "done", id, taken }),
      (error: unknown) => say({ type: "failed", id, failure: asFailure(error) }),
    )
    .finally(() => bodies.delete(id))
}

const say = (message: FromThread): void => parentPort?.postMessage(message)

async function take(
  { form, folder, key, context, maxBytes }: Extract<ToThread, { type: "begin" }>,
  body: AsyncIterable<Uint8Array>,
): Promise<Taken> {
  if (form === "bytes") {
    const spooled = await takeInto(folder, key, context, limited(body, maxBytes))
    return { spooled, body: null }
  }
  const scanner = createContentScanner({
    maxDecodedBytes: maxBytes,
    maxEncodedBytes: LIMITS.documentBase64Bytes,
    maxOtherBytes: LIMITS.jsonBytes,
  })
  const content = decoded(body, scanner.push)
  const first = await content.next()
  if (first.done === true) {
    const { body: rest, hadContent } = scanner.end()
    // A document of no bytes is a document, if not a good one.
    return { spooled: hadContent ? await takeInto(folder, key, context, content) : null, body: rest }
  }
  const spooled = await takeInto(folder, key, context, after(first.value, content))
  try {
    return { spooled, body: scanner.end().body }
  } catch (error) {
    // The document was whole, and what is around it is not: nobody will ask for the file.
    await rm(spooled.sealed.path, { force: true })
    throw error
  }
}

async function* decoded(body: AsyncIterable<Uint8Array>, decode: (chunk: Uint8Array) => Uint8Array) {
  for await (const chunk of body) {
    const bytes = decode(chunk)
    if (bytes.length > 0) yield bytes
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>, maxBytes: number) {
  let seen = 0
  for await (const piece of bytes) {
    seen += piece.length
    if (seen > maxBytes) throw new Refusal("pdf-too-large", `A document has at most ${maxBytes} bytes.`)
    yield piece
  }
}

async function* after(first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield first
  yield* rest
}

function asFailure(error: unknown): Failure {
  const { message, code } = error as NodeJS.ErrnoException
  return { refusal: error instanceof Refusal ? error.code : null, message, code }
}
