import type { Readable } from "node:stream"
import { createInFlightLimiter, type InFlightLimits } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf, type Tenant } from "@paraph/core/fair-share/owner"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyReply, FastifyRequest } from "fastify"

/** Each holds a connection to the object store and a piece of the document, for as long as the reader takes. */
const READS = { perCaller: 16, perOwner: 100, total: 200 }

/** Who takes nothing for so long has gone, or means no good. */
const STALLED_MS = 30_000
const RETRY_SECONDS = 1

type Answering = {
  readonly request: Pick<FastifyRequest, "raw">
  readonly reply: Pick<FastifyReply, "raw">
}

/** Who reads, and for which business: all who read for one must not keep the others from it. */
export type Reader = Tenant & { readonly id: string }

export type ReadsUnderWay = {
  /** Counts a read until its answer is over, however that comes; refuses one too many. */
  readonly begin: (reader: Reader, request: Answering["request"], reply: Answering["reply"]) => void
}

export function createReadsUnderWay(limits: InFlightLimits = READS): ReadsUnderWay {
  const places = createInFlightLimiter(limits)

  return {
    begin: (reader, request, reply) => {
      // Nobody is there any more, and so nothing would tell us of the end.
      if (request.raw.socket.destroyed) return
      const end = places.begin(ownerOf(reader), reader.id)
      if (end === "owner") throw refused("rate-limited", "You are reading too many documents at once.")
      if (end === "total") throw refused("part-down", "Too many documents are being read.")
      onceOver({ request, reply }, end)
    },
  }
}

/** Lets go of the content with the answer, and of an answer of which its reader takes nothing. */
export function untilOver(
  content: Readable,
  request: Answering["request"],
  reply: Answering["reply"],
  stalledMs = STALLED_MS,
): Readable {
  onceOver({ request, reply }, () => content.destroy())
  // Node ends a connection on which nothing moves for so long. Afterwards it must not apply to what comes next on it:
  // Node sets its own time there unless the next request is waiting already.
  reply.raw.setTimeout(stalledMs)
  reply.raw.prependOnceListener("finish", () => reply.raw.setTimeout(0))
  return content
}

/** A response that waits for the ones before it on its connection is not told when that ends, so we look at both. */
export function onceOver({ request, reply }: Answering, over: () => void): void {
  const { socket } = request.raw
  let ended = false
  const end = () => {
    // The end of a connection tells its responses before it tells us, and then us too.
    if (ended) return
    ended = true
    socket.off("close", end)
    reply.raw.off("close", end)
    over()
  }
  socket.once("close", end)
  reply.raw.once("close", end)
  if (socket.destroyed) end()
}

const refused = (code: "rate-limited" | "part-down", detail: string): Refusal =>
  new Refusal(code, detail, { retryAfterSeconds: RETRY_SECONDS })
