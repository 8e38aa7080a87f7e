import { Readable } from "node:stream"
import { createInFlightLimiter } from "@paraph/core/fair-share/in-flight-limiter"
import { ownerOf } from "@paraph/core/fair-share/owner"
import type { SignerSession } from "@paraph/core/login/signer"
import { Refusal } from "@paraph/core/refusal"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Parts } from "../../parts.ts"
import { rememberingBusinesses } from "./remember.ts"
import { mustBeSigner } from "./session.ts"
import { writeView } from "./view.ts"
import { createWatch, type Watch } from "./watch.ts"

const LOOK_EVERY_MS = 500
const HEARTBEAT_MS = 15_000
/** Then the browser comes again by itself, and whether it still may is judged anew. */
const LONGEST_MS = 10 * 60_000
/** A reader who leaves so much lying is dropped; whoever comes again gets the newest view and misses nothing. */
const UNREAD_BYTES = 262_144
/** One person has some windows; a process has some hundred people, of several businesses. */
const STREAMS = { perCaller: 5, perOwner: 250, total: 500 }
/** Long enough for all who watch one request to be told of a change, too short for anybody to see what no longer holds. */
const KEPT_MS = 1_000
const SETTLED: readonly string[] = ["done", "declined", "ended"]

/**
 * Progress as it happens (experience, S7): the whole view whenever it has changed, so that a stream can be left and taken up
 * again at any time. `end` says that nothing will follow.
 */
export function events(app: FastifyInstance, parts: Parts): void {
  const watch = createWatch({
    versions: parts.requestVersions,
    everyMs: LOOK_EVERY_MS,
    onError: (error) => parts.log.warn({ error }, "events"),
  })
  const places = createInFlightLimiter(STREAMS)
  const open = new Set<Readable>()
  const calm = { ...parts, ...rememberingBusinesses(parts, KEPT_MS) }
  app.addHook("preClose", async () => {
    watch.stop()
    for (const stream of open) stream.push(null)
  })

  app.get("/app/api/signature/events", async (request, reply) => {
    const session = await mustBeSigner(parts, request)
    const left = places.begin(ownerOf(session), session.signatureId)
    if (typeof left === "string")
      throw new Refusal("rate-limited", "This page is open in many windows.", { retryAfterSeconds: 10 })
    const stream = views(calm, request, session, watch)
    open.add(stream)
    reply.raw.once("close", () => stream.destroy())
    stream.once("close", () => {
      open.delete(stream)
      left()
    })
    return reply
      .type("text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      .header("x-accel-buffering", "no")
      .send(stream)
  })
}

function views(parts: Parts, request: FastifyRequest, session: SignerSession, watch: Watch): Readable {
  const stream = new Readable({ read: () => undefined })
  let sent = ""
  let writing = false
  let again = false

  const say = (text: string) => {
    if (stream.destroyed || stream.readableEnded) return
    stream.push(text)
    if (stream.readableLength > UNREAD_BYTES) stream.destroy()
  }
  const write = async () => {
    // It may have ended since, or been proved by a code; that somebody listens does not keep it alive.
    const now = await parts.findSession(session.idHash, false)
    if (now === null) return finish()
    const view = await writeView(parts, request, now)
    const text = JSON.stringify(view)
    if (text !== sent) say(`event: view\ndata: ${text}\n\n`)
    sent = text
    if (SETTLED.includes(view.screen)) finish()
  }
  /** Several changes at once are one view. */
  const changed = async () => {
    again = true
    if (writing) return
    writing = true
    try {
      while (again && !stream.destroyed) {
        again = false
        await write()
      }
    } catch (error) {
      if (!(error instanceof Refusal)) parts.log.warn({ error }, "events")
      finish()
    } finally {
      writing = false
    }
  }
  const leave = watch.on(session.requestId, () => void changed())
  const heartbeat = setInterval(() => say(": \n\n"), HEARTBEAT_MS).unref()
  const last = setTimeout(() => stream.push(null), LONGEST_MS).unref()
  const finish = () => {
    say("event: end\ndata: {}\n\n")
    if (!stream.destroyed) stream.push(null)
  }
  stream.once("close", () => {
    leave()
    clearInterval(heartbeat)
    clearTimeout(last)
  })
  say("retry: 2000\n\n")
  void changed()
  return stream
}
