import { readFileSync } from "node:fs"
import type { RequestOptions } from "node:http"
import type { LookupFunction } from "node:net"
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls"
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from "request-filtering-agent"
import { guardedLookup, isNamed, meansInside, refusedAddress } from "./address.ts"
import { type AllowedHosts, POLICIES, type Purpose } from "./policy.ts"
import { openTunnel, proxyAddress, proxyCredentials } from "./tunnel.ts"

export type RouteSettings = {
  /** PEM file with certificates that are trusted besides Node's own. */
  readonly caFile?: string
  /** An HTTP proxy for everything but the named hosts. */
  readonly proxyUrl?: string
  /** Hosts that may be private or loopback, each for one purpose. They are matched whole, never by their end. */
  readonly allowedHosts: AllowedHosts
  /** Shown to callback servers that ask for one, and to nobody else. */
  readonly clientCertificate?: { readonly certFile: string; readonly keyFile: string }
  /** Resolves names; the system's resolver unless given. */
  readonly lookup?: LookupFunction
}

export type Routes = (purpose: Purpose, url: URL, signal: AbortSignal) => Promise<RequestOptions>

/** How a connection is made: guarded, open to a host that the operator named, or through the proxy. */
export function createRoutes(settings: RouteSettings): Routes {
  const plain = secureContext(settings, false)
  const withCertificate = secureContext(settings, true)
  const proxy = settings.proxyUrl === undefined ? null : new URL(settings.proxyUrl)
  if (proxy !== null && proxy.protocol !== "http:")
    throw new Error("The proxy's address must begin with http:")
  const open = { allowPrivateIPAddress: true, allowMetaIPAddress: true, ...lookupOf(settings.lookup) }
  const guarded = { lookup: guardedLookup(settings.lookup) }

  // One for each way, for as long as the process lives: each remembers TLS sessions, and a second call costs half.
  const agents = {
    http: { open: new RequestFilteringHttpAgent(open), guarded: new RequestFilteringHttpAgent(guarded) },
    plain: httpsAgents(plain, open, guarded),
    withCertificate: httpsAgents(withCertificate, open, guarded),
  }

  return async (purpose, url, signal) => {
    const context = POLICIES[purpose].showsCertificate ? withCertificate : plain
    const named = isNamed(url, settings.allowedHosts[purpose])
    if (proxy !== null && !named) return throughProxy(proxy, url, context, signal)
    const way = named ? "open" : "guarded"
    if (url.protocol === "http:") return { agent: agents.http[way] }
    return { agent: agents[POLICIES[purpose].showsCertificate ? "withCertificate" : "plain"][way] }
  }
}

const httpsAgents = (secureContext: SecureContext, open: Rules, guarded: Rules) => ({
  open: new RequestFilteringHttpsAgent({ ...open, secureContext }),
  guarded: new RequestFilteringHttpsAgent({ ...guarded, secureContext }),
})

type Rules = ConstructorParameters<typeof RequestFilteringHttpsAgent>[0]

async function throughProxy(
  proxy: URL,
  url: URL,
  context: SecureContext,
  signal: AbortSignal,
): Promise<RequestOptions> {
  if (meansInside(url)) throw refusedAddress()
  if (url.protocol === "https:") {
    const socket = await openTunnel(proxy, url, context, signal)
    return { createConnection: () => socket }
  }
  // RFC 9112, 3.2.2: without TLS the proxy is asked for the whole address; many allow CONNECT to 443 only.
  return {
    agent: false,
    ...proxyAddress(proxy),
    path: `${url.origin}${url.pathname}${url.search}`,
    headers: { host: url.host, ...proxyCredentials(proxy) },
  }
}

function secureContext(
  { caFile, clientCertificate }: RouteSettings,
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
