import { LIMITS } from "@paraph/core/limits"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyRequest } from "fastify"

/** Whoever sends nothing for this long is gone, or holds our files and connections for sport. */
const PAUSE_MS = 30_000
const LOOK_MS = 5_000

/**
 * A body while it arrives, with an end in any case. What says itself that it is too large is refused before its first byte
 * is read. Who stops reading has something to say first, so the connection is left to whoever answers.
 */
export function arriving(
  request: FastifyRequest,
  payload: FastifyRequest["raw"],
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  if (encoding !== "identity")
    throw new Refusal("unsupported-media-type", "A body is taken as it is, without a content encoding.")
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge()
  return read(payload, maxBytes)
}

async function* read(payload: FastifyRequest["raw"], maxBytes: number) {
  let seen = 0
  let waitingSince = Date.now()
  // While we do not ask for more, it is not the sender who pauses.
  const look = setInterval(() => {
    if (Date.now() - waitingSince > PAUSE_MS)
      payload.destroy(new Refusal("constraint-violated", "The body came to a halt."))
  }, LOOK_MS).unref()
  try {
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      seen += piece.length
      if (seen > maxBytes) throw tooLarge()
      waitingSince = Number.POSITIVE_INFINITY
      yield piece as Uint8Array
      waitingSince = Date.now()
    }
  } finally {
    clearInterval(look)
  }
}

const tooLarge = () => new Refusal("pdf-too-large", `A document has at most ${LIMITS.documentBytes} bytes.`)
