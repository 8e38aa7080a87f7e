import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { checkedUrl } from "./address.ts"
import { bodyOf, checkAnnounced, collect } from "./body.ts"
import { type Deadline, startDeadline } from "./deadline.ts"
import { exchange, type Message } from "./exchange.ts"
import { OutboundFailed } from "./failed.ts"
import { POLICIES, type Purpose } from "./policy.ts"
import { createRoutes, type RouteSettings, type Routes } from "./route.ts"

export type { Message, Purpose }
export type OutboundSettings = RouteSettings

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** An answer whose body is still to come: whoever has it reads it, once, or closes it. */
export type OpenAnswer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Uint8Array>
  readonly close: () => void
}

export type Outbound = {
  readonly request: (purpose: Purpose, url: string, message: Message) => Promise<Answer>
  readonly open: (purpose: Purpose, url: string, message: Message) => Promise<OpenAnswer>
}

/** The one client for everything that leaves the service: no other module opens an HTTP connection. */
export function createOutbound(settings: OutboundSettings): Outbound {
  const routes = createRoutes(settings)
  const open: Outbound["open"] = async (purpose, address, message) => {
    const url = checkedUrl(purpose, address, settings.allowedHosts[purpose])
    const deadline = startDeadline(message.timeoutMs)
    let incoming: IncomingMessage | undefined
    try {
      incoming = await follow({ routes, settings, purpose, message, deadline }, url)
      const { endIsSaid, pauseMs } = POLICIES[purpose]
      if (message.overflow !== "cut") checkAnnounced(incoming, message.maxBytes, endIsSaid)
      const limits = { maxBytes: message.maxBytes, pauseMs: Math.min(message.pauseMs ?? pauseMs, pauseMs) }
      const { pieces, close } = bodyOf(incoming, limits, deadline)
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: pieces, close }
    } catch (error) {
      deadline.stop()
      incoming?.destroy()
      throw error
    }
  }
  return {
    open,
    request: async (purpose, address, message) => {
      const { status, headers, body } = await open(purpose, address, message)
      return { status, headers, body: await collect(body, message.overflow ?? "refuse") }
    },
  }
}

type Call = {
  readonly routes: Routes
  readonly settings: OutboundSettings
  readonly purpose: Purpose
  readonly message: Message
  readonly deadline: Deadline
}

/** Asks, and asks again where a redirect points to, as often as the purpose allows. */
async function follow(call: Call, first: URL): Promise<IncomingMessage> {
  const { redirects, headersWithinMs } = POLICIES[call.purpose]
  const { signal, within } = call.deadline
  let url = first
  let headers = call.message.headers
  for (let followed = 0; ; followed += 1) {
    const incoming = await within(headersWithinMs, async () =>
      exchange(url, await call.routes(call.purpose, url, signal), { ...call.message, headers }, signal),
    )
    const next = redirectTarget(url, incoming)
    if (next === null || redirects === 0 || call.message.method !== "GET") return incoming
    incoming.destroy()
    if (followed === redirects)
      throw new OutboundFailed("too-many-redirects", `More than ${redirects} redirects.`)
    const target = checkedUrl(call.purpose, next, call.settings.allowedHosts[call.purpose])
    if (url.protocol === "https:" && target.protocol !== "https:")
      throw new OutboundFailed("unsupported-url", "A redirect leaves https.")
    // What was meant for one server, such as a token, is not told to another.
    if (url.origin !== target.origin) headers = {}
    url = target
  }
}

function redirectTarget(from: URL, { statusCode = 0, headers }: IncomingMessage): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null
  return URL.parse(headers.location, from.href)?.href ?? headers.location
}
