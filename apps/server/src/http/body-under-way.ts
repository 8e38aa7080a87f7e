import type { FastifyReply, FastifyRequest } from "fastify"
import { onceOver } from "./documents/reads-under-way.ts"

/**
 * Holds a place from before the first byte of a body until its answer is over: what is read into memory is bounded by the places,
 * not by how many connect. Whoever has not sent the whole body in time is cut off, and the place is free again.
 */
export function holdBody(
  request: Pick<FastifyRequest, "raw">,
  reply: Pick<FastifyReply, "raw">,
  withinMs: number,
  end: () => void,
): void {
  const { raw } = request
  const late = setTimeout(() => raw.complete || raw.destroy(), withinMs).unref()
  onceOver({ request, reply }, () => {
    clearTimeout(late)
    end()
  })
}
