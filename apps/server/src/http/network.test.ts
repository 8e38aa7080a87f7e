import { expect, it } from "vitest"
import { networkOf, siteOf } from "./network.ts"

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::ffff", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::ffff", "2001:db8:1:3::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ["not an address", "not an address"],
])("%s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2::ffff", "2001:db8:1::/48"],
  ["2001:db8:1:ffff::1", "2001:db8:1::/48"],
  ["2001:db8:2:2::1", "2001:db8:2::/48"],
])("%s is of the site %s", (address, site) => {
  expect(siteOf(address)).toBe(site)
})
