import type { IncomingMessage } from "node:http"
import type { Deadline } from "./deadline.ts"
import { OutboundFailed } from "./failed.ts"

export type BodyLimits = { readonly maxBytes: number; readonly pauseMs: number }

/** Read once and in one place. No more is taken from the connection than the reader asks for. */
export type Body = {
  readonly pieces: AsyncIterable<Uint8Array>
  /** Drops the connection, whether or not reading has begun. Leaving a loop over the pieces does the same. */
  readonly close: () => void
}

export function bodyOf(incoming: IncomingMessage, limits: BodyLimits, deadline: Deadline): Body {
  const close = () => {
    deadline.stop()
    incoming.destroy()
  }
  const generator = readPieces(incoming, limits, deadline)
  const iterator = {
    next: () => generator.next(),
    // A generator that was not begun, or that waits for a piece, would not hear of the end by itself.
    return: async () => {
      close()
      await generator.return(undefined)
      return { done: true as const, value: undefined }
    },
  }
  return { pieces: { [Symbol.asyncIterator]: () => iterator }, close }
}

async function* readPieces(incoming: IncomingMessage, { maxBytes, pauseMs }: BodyLimits, deadline: Deadline) {
  try {
    const source: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]()
    for (let size = 0; ; ) {
      const piece = await deadline.within(pauseMs, () => source.next())
      if (piece.done) break
      size += piece.value.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      yield piece.value
    }
    // Node tells of a cut body by an error already; what is stored for years does not rely on that alone.
    if (!incoming.complete) throw new OutboundFailed("connection", "The answer was cut.")
  } finally {
    deadline.stop()
    incoming.destroy()
  }
}

/** Refuses by the headers what would be refused while it comes. */
export function checkAnnounced(
  { headers, statusCode }: IncomingMessage,
  maxBytes: number,
  endIsSaid: boolean,
) {
  const length = headers["content-length"]
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes)
  // RFC 9112, 6.3: the length is known from the status, from a last `chunked`, or from Content-Length.
  const isEmpty = statusCode === 204 || statusCode === 304
  const isChunked = /(^|[\s,])chunked\s*$/i.test(headers["transfer-encoding"] ?? "")
  if (endIsSaid && !isEmpty && !isChunked && length === undefined)
    throw new OutboundFailed("unsupported-answer", "The server did not say where its answer ends.")
}

function tooLarge(maxBytes: number): OutboundFailed {
  return new OutboundFailed("too-large", `The answer is larger than ${maxBytes} bytes.`)
}

/** The whole of a body; with `cut`, as much of it as came within the limits. */
export async function collect(
  pieces: AsyncIterable<Uint8Array>,
  overflow: "refuse" | "cut",
): Promise<Uint8Array> {
  const collected: Uint8Array[] = []
  try {
    for await (const piece of pieces) collected.push(piece)
  } catch (error) {
    if (overflow === "refuse") throw error
  }
  return Buffer.concat(collected)
}
