import { lookup as systemLookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"
import { OutboundFailed } from "./failed.ts"
import { POLICIES, type Purpose } from "./policy.ts"

/** Reads an address and refuses what can be refused before anything is resolved. */
export function checkedUrl(purpose: Purpose, address: string, allowedHosts: readonly string[] = []): URL {
  const url = URL.parse(address)
  if (url === null) throw new OutboundFailed("unsupported-url", "The address is not a URL.")
  const named = isNamed(url, allowedHosts)
  const { http } = POLICIES[purpose]
  const httpToo = http === "always" || (http === "named" && named)
  if (url.protocol !== "https:" && !(httpToo && url.protocol === "http:"))
    throw new OutboundFailed("unsupported-url", `A ${purpose} address cannot begin with ${url.protocol}`)
  if (url.username !== "" || url.password !== "")
    throw new OutboundFailed("unsupported-url", "The address holds a user name or a password.")
  if (url.hostname === "" || url.port === "0")
    throw new OutboundFailed("unsupported-url", "The address has no host or port to connect to.")
  const literal = url.hostname.replace(/^\[(.*)\]$/, "$1")
  if (!named && isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusedAddress()
  return url
}

/** The operator lists hosts as `host` (any port) or `host:port`; only these may be private or loopback. */
export function isNamed(url: URL, allowedHosts: readonly string[] = []): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80")
  const names = [url.hostname, `${url.hostname}:${port}`]
  return allowedHosts.some((host) => names.includes(host.toLowerCase()))
}

// Azure's host agent answers with instance secrets on an address that the registries call public.
const METADATA_IN_PUBLIC_RANGE = ["168.63.129.16"]
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")
// RFC 5214, 6.1: behind any prefix, these four bytes say that an IPv4 address follows, mostly a private one.
const ISATAP = ["0:5efe", "200:5efe"]

/** True where an address is one of the public internet: everything else is inside somebody's network. */
export function isPublicAddress(address: string): boolean {
  // RFC 4291, 2.5.5.1: `::8.8.8.8` is a deprecated IPv6 address, which ipaddr.js reads as the IPv4 one in it.
  if (isIP(address) === 0 || !ipaddr.isValid(address) || /^::\d+\./.test(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== "unicast") return false
  // RFC 4291, 2.4: only 2000::/3 is handed out.
  if (parsed instanceof ipaddr.IPv6)
    return parsed.match(GLOBAL_UNICAST) && !ISATAP.includes(words(parsed.parts.slice(4, 6)))
  return !METADATA_IN_PUBLIC_RANGE.includes(parsed.toString())
}

function words(parts: readonly number[]): string {
  return parts.map((part) => part.toString(16)).join(":")
}

/**
 * Resolves a name as the socket is about to connect, so that the addresses judged are the addresses used and a
 * name that changes its answer gains nothing. One bad address among several refuses them all.
 */
export function guardedLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family)
      const addresses = typeof found === "string" ? [found] : found.map((each) => each.address)
      if (addresses.length === 0 || !addresses.every(isPublicAddress))
        return callback(refusedAddress(), "", 4)
      callback(null, found, family)
    })
  }
}

/**
 * Behind a proxy nothing is resolved here; at least the names that can only mean this machine or its network are
 * refused: those without a dot, and those that are reserved for inside (RFC 6761, 6762, 8375; ICANN on .internal).
 */
export function meansInside(url: URL): boolean {
  const name = url.hostname.replace(/\.+$/, "")
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) return false
  return !name.includes(".") || /\.(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/.test(name)
}

export function refusedAddress(options?: ErrorOptions): OutboundFailed {
  return new OutboundFailed("refused-address", "The address is not one of the public internet.", options)
}
