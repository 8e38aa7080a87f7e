import { isIPv6 } from "node:net"

/**
 * Whom a limit per address counts. A customer of a provider has a whole /64 of IPv6, 2⁶⁴ addresses, so it is counted as
 * one; an IPv4 address that came in IPv6 (RFC 4291, 2.5.5.2) is what it is in IPv4.
 */
export function networkOf(address: string): string {
  return prefixOf(address, 4)
}

/** Whole sites have a /48 (RFC 6177), and whoever has one can come from 65 536 networks. Of IPv4 it is the address. */
export function siteOf(address: string): string {
  return prefixOf(address, 3)
}

function prefixOf(address: string, length: 3 | 4): string {
  const [bare = ""] = address.split("%")
  if (!isIPv6(bare)) return address
  const groups = groupsOf(bare)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".")
  const head = groups.slice(0, length).map((group) => group.toString(16))
  return `${head.join(":")}::/${length * 16}`
}

/** The eight groups of 16 bits. URL writes any spelling in the one of RFC 5952. */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const read = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))
  const [first, last] = [read(head), read(tail ?? "")]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}
