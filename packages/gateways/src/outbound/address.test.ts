// What single addresses are; bypass.test.ts shows that nothing else is connected to.

import type { LookupAddress } from "node:dns"
import { describe, expect, it } from "vitest"
import { guardedLookup, isPublicAddress, meansInside } from "./address.ts"

describe("the address guard", () => {
  it("knows public addresses from all others", () => {
    for (const address of ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    for (const address of ["", "x", "8.8", "010.8.8.8", "10.0.0.1", "::8.8.8.8", "2606:4700::5efe:808:808"])
      expect([address, isPublicAddress(address)]).toEqual([address, false])
  })

  it("knows the first and the last address of what is not public, and their neighbours", () => {
    for (const [before, first, last, after] of [
      ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
      ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
      ["126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"],
      ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
      ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
      ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
      ["168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"],
      ["223.255.255.255", "224.0.0.0", "255.255.255.255", "1.0.0.0"],
      ["2001:db7:ffff::", "2001:db8::", "2001:db8:ffff:ffff::", "2001:db9::"],
      ["2001:ffff::", "2002::", "2002:ffff:ffff::", "2003::"],
      ["3ffe::", "3fff::", "3fff:fff:ffff::", "3fff:1000::"],
      ["3fff:ffff::", "4000::", "ffff::", "2000::1"],
    ])
      expect([before, first, last, after].map((each) => isPublicAddress(each ?? ""))).toEqual([
        true,
        false,
        false,
        true,
      ])
  })

  it("judges one address and several alike, and gives on what the resolver says of its own faults", async () => {
    const resolved = (found: string | LookupAddress[], error: NodeJS.ErrnoException | null = null) =>
      new Promise((resolve) =>
        guardedLookup((_, _options, answer) => answer(error, found, 4))("name.example", {}, (failed, given) =>
          resolve(failed?.message ?? given),
        ),
      )
    expect(await resolved("8.8.8.8")).toBe("8.8.8.8")
    expect(await resolved([{ address: "8.8.8.8", family: 4 }])).toEqual([{ address: "8.8.8.8", family: 4 }])
    expect(await resolved("127.0.0.1")).toMatch("not one of the public internet")
    const mixed = ["8.8.8.8", "127.0.0.1"].map((address) => ({ address, family: 4 }))
    expect(await resolved(mixed)).toMatch("not one of the public internet")
    expect(await resolved([])).toMatch("not one of the public internet")
    expect(await resolved("", new Error("not found"))).toBe("not found")
  })

  it("leaves to a proxy what may be public, and not what can only be inside", () => {
    for (const host of [
      "a.example",
      "localhost.example",
      "local.example.",
      "xn--bcher-kva.example",
      "8.8.8.8",
    ])
      expect([host, meansInside(new URL(`https://${host}/`))]).toEqual([host, false])
    for (const host of ["localhost", "a.localhost.", "db", "DB.", "db.internal", "x.home.arpa"])
      expect([host, meansInside(new URL(`https://${host}/`))]).toEqual([host, true])
  })
})
