import { readFileSync } from "node:fs"
import type { RequestOptions } from "node:http"
import type { LookupFunction } from "node:net"
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls"
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from "request-filtering-agent"
import {
  checkedUrl,
  guardedLookup,
  isNamed,
  meansThisMachine,
  type Purpose,
  refusedAddress,
} from "./address.ts"
import { type Answer, asFailure, exchange, type Message } from "./exchange.ts"
import { OutboundFailed } from "./failed.ts"
import { openTunnel, proxyCredentials } from "./tunnel.ts"

export type OutboundSettings = {
  /** PEM file with certificates that are trusted besides Node's own. */
  readonly caFile?: string
  /** An HTTP proxy for everything but the named hosts. */
  readonly proxyUrl?: string
  /** `host` or `host:port` that may be private or loopback. */
  readonly allowedHosts: readonly string[]
  /** Shown to callback servers that ask for one, and to nobody else. */
  readonly clientCertificate?: { readonly certFile: string; readonly keyFile: string }
  /** Resolves names; the system's resolver unless given. */
  readonly lookup?: LookupFunction
}

export type Outbound = {
  readonly request: (purpose: Purpose, url: string, message: Message) => Promise<Answer>
}

// A callback's answer is its status. The others may move, but a body is never sent to a second address.
const REDIRECTS: Record<Purpose, number> = { callback: 0, timestamp: 0, download: 3, revocation: 3 }

/** The one client for everything that leaves the service: no other module opens an HTTP connection. */
export function createOutbound(settings: OutboundSettings): Outbound {
  const routes = createRoutes(settings)
  return {
    request: async (purpose, address, message) => {
      const signal = AbortSignal.timeout(message.timeoutMs)
      let url = checkedUrl(purpose, address, settings.allowedHosts)
      let headers = message.headers
      for (let redirects = 0; ; redirects += 1) {
        const answer = await exchange(
          url,
          await routes(purpose, url, signal),
          { ...message, headers },
          signal,
        )
        const next = redirectTarget(url, answer)
        if (next === null || REDIRECTS[purpose] === 0 || message.method !== "GET") return answer
        if (redirects === REDIRECTS[purpose])
          throw new OutboundFailed("too-many-redirects", `More than ${redirects} redirects.`)
        const target = checkedUrl(purpose, next, settings.allowedHosts)
        if (url.protocol === "https:" && target.protocol !== "https:")
          throw new OutboundFailed("unsupported-url", "A redirect leaves https.")
        if (url.origin !== target.origin) headers = {}
        url = target
      }
    },
  }
}

function redirectTarget(from: URL, { status, headers }: Answer): string | null {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return null
  return URL.parse(headers.location, from.href)?.href ?? headers.location
}

type Routes = (purpose: Purpose, url: URL, signal: AbortSignal) => Promise<RequestOptions>

/** How a connection is made: guarded, open to a host that the operator named, or through the proxy. */
function createRoutes(settings: OutboundSettings): Routes {
  const plain = secureContext(settings, false)
  const withCertificate = secureContext(settings, true)
  const proxy = settings.proxyUrl === undefined ? null : new URL(settings.proxyUrl)
  if (proxy !== null && proxy.protocol !== "http:")
    throw new Error("The proxy's address must begin with http:")
  const open = { allowPrivateIPAddress: true, allowMetaIPAddress: true, ...lookupOf(settings.lookup) }
  const guarded = { lookup: guardedLookup(settings.lookup) }

  return async (purpose, url, signal) => {
    const context = purpose === "callback" ? withCertificate : plain
    const named = isNamed(url, settings.allowedHosts)
    if (proxy !== null && !named) return throughProxy(proxy, url, context, signal)
    const rules = named ? open : guarded
    if (url.protocol === "http:") return { agent: new RequestFilteringHttpAgent(rules) }
    return { agent: new RequestFilteringHttpsAgent({ ...rules, secureContext: context }) }
  }
}

async function throughProxy(
  proxy: URL,
  url: URL,
  context: SecureContext,
  signal: AbortSignal,
): Promise<RequestOptions> {
  if (meansThisMachine(url)) throw refusedAddress()
  if (url.protocol === "https:") {
    const socket = await openTunnel(proxy, url, context, signal).catch((error) => {
      throw asFailure(error)
    })
    return { createConnection: () => socket }
  }
  // RFC 9112, 3.2.2: without TLS the proxy is asked for the whole address; many allow CONNECT to 443 only.
  return {
    agent: false,
    hostname: proxy.hostname,
    port: proxy.port || 80,
    path: url.href,
    headers: { host: url.host, ...proxyCredentials(proxy) },
  }
}

function secureContext(
  { caFile, clientCertificate }: OutboundSettings,
  showCertificate: boolean,
): SecureContext {
  const ca =
    caFile === undefined ? {} : { ca: [...getCACertificates("default"), readFileSync(caFile, "utf8")] }
  const own =
    clientCertificate === undefined || !showCertificate
      ? {}
      : { cert: readFileSync(clientCertificate.certFile), key: readFileSync(clientCertificate.keyFile) }
  return createSecureContext({ minVersion: "TLSv1.2", ...ca, ...own })
}

function lookupOf(lookup: LookupFunction | undefined): { lookup?: LookupFunction } {
  return lookup === undefined ? {} : { lookup }
}
