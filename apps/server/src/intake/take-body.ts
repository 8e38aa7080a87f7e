import { rm } from "node:fs/promises"
import { createContentScanner } from "@paraph/contract/shared/content-scanner"
import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import { takeInto } from "@paraph/store/blobs/spool"
import type { Taken, TakeOptions } from "./messages.ts"

/** Decodes, limits, hashes and seals a body while it comes. */
export async function takeBody(
  { form, folder, key, context, maxBytes, maxBase64Bytes = LIMITS.documentBase64Bytes }: TakeOptions,
  body: AsyncIterable<Uint8Array>,
): Promise<Taken> {
  if (form === "bytes") {
    const spooled = await takeInto(folder, key, context, limited(body, maxBytes))
    return { spooled, body: null }
  }
  const scanner = createContentScanner({
    maxDecodedBytes: maxBytes,
    maxEncodedBytes: maxBase64Bytes,
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
