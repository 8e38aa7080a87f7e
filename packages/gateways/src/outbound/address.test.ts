import { createServer, type Server } from "node:http"
import type { AddressInfo, LookupFunction } from "node:net"
import { hostname } from "node:os"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isPublicAddress } from "./address.ts"
import { OutboundFailed } from "./failed.ts"
import { createOutbound } from "./outbound.ts"

// Every one of these ends at this machine, if anything lets it.
const LOOPBACK = [
  ..."127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0.0.1 0x7F.0x0.0x0.0x1 017700000001".split(
    " ",
  ),
  ..."0177.0.0.1 0177.0.0.01 00000177.1 127.0.0.1. 127.1. 127.0.0.2 127.255.255.254 127.0x0.1 0x7f.0.1".split(
    " ",
  ),
  ..."0.0.0.0 0 0x0 00.0 0.0 0.0.0.0. 127.000.000.001 %31%32%37.0.0.1 127%2e0%2e0%2e1 ①②⑦.⓪.⓪.①".split(" "),
  ..."127。0。0。1 127．0．0．1 127｡0｡0｡1 １２７.0.0.1 [::1] [0:0:0:0:0:0:0:1] [::0001]".split(" "),
  ..."[0000:0000:0000:0000:0000:0000:0000:0001] [::] [0::0] [::ffff:127.0.0.1] [::ffff:7f00:1]".split(" "),
  ..."[::FFFF:127.0.0.1] [0:0:0:0:0:ffff:7f00:0001] [::ffff:0.0.0.0] [::ffff:127.1.2.3]".split(" "),
  ..."localhost LOCALHOST lOcAlHoSt loc%61lhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ".split(" "),
]

// These lead into a network, to a cloud's metadata, or carry such an address inside another one.
const INSIDE = [
  ..."10.0.0.1 10.1 0xa000001 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 3232235777 100.64.0.1".split(
    " ",
  ),
  ..."169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.1 [fe80::1] [fd00:ec2::254]".split(
    " ",
  ),
  ..."[::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::127.0.0.1] [::a9fe:a9fe] [::8.8.8.8] [fc00::1]".split(
    " ",
  ),
  ..."[2002:7f00:1::] [2002:a9fe:a9fe::1] [64:ff9b::7f00:1] [64:ff9b::169.254.169.254]".split(" "),
  ..."[64:ff9b:1::7f00:1] [::ffff:0:127.0.0.1] [2001::7f00:1] [fec0::1] [ff02::1] [4000::1] [100::1]".split(
    " ",
  ),
  ..."192.0.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16 192.88.99.1 [2001:db8::1]".split(
    " ",
  ),
]

// Whether these resolve at all is the machine's affair; they must not connect either way.
const NAMES = [
  "localhost.",
  "sub.localhost",
  "a.b.localhost",
  "localhost.localdomain",
  "ip6-localhost",
  hostname(),
]

let server: Server
let port = 0
let connections = 0

beforeAll(async () => {
  server = createServer((_, response) => response.end("inside")).on("connection", () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen({ host: "::", port: 0 }, resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

describe("the address guard", () => {
  it("lets no spelling of an inside address reach a listener", async () => {
    const urls = [...LOOPBACK, ...INSIDE].map((host) => `http://${host}:${port}/`)
    expect(urls.length).toBeGreaterThanOrEqual(60)
    const before = connections
    const outbound = createOutbound({ allowedHosts: [] })
    for (const url of urls) expect([url, await codeOf(get(outbound, url))]).toEqual([url, "refused-address"])
    for (const name of NAMES) expect(await codeOf(get(outbound, `http://${name}:${port}/`))).not.toBe("none")
    expect(connections - before).toBe(0)
  })

  it("would have reached the listener by every loopback spelling, had the operator named it", async () => {
    const before = connections
    for (const host of LOOPBACK) {
      const url = `http://${host}:${port}/`
      const { status } = await get(createOutbound({ allowedHosts: [new URL(url).host] }), url)
      expect([url, status]).toEqual([url, 200])
    }
    expect(connections - before).toBe(LOOPBACK.length)
  })

  it("names a host for one port where the operator gave the port", async () => {
    const outbound = createOutbound({ allowedHosts: [`127.0.0.1:${port + 1}`] })
    expect(await codeOf(get(outbound, `http://127.0.0.1:${port}/`))).toBe("refused-address")
  })

  it("refuses a name by what it resolves to, also where only one of its addresses is inside", async () => {
    const before = connections
    for (const inside of ["127.0.0.1", "::1", "10.0.0.1", "::ffff:127.0.0.1"]) {
      const outbound = createOutbound({ allowedHosts: [], lookup: answering([["93.184.215.14", inside]]) })
      expect(await codeOf(get(outbound, `http://name.example:${port}/`))).toBe("refused-address")
    }
    expect(connections - before).toBe(0)
  })

  it("asks for a name once, so an answer that changes afterwards is never used", async () => {
    const before = connections
    // The first answer lies in a public block that nobody was given, so that no machine is disturbed.
    const rebinding = answering([["2fff::1"], ["127.0.0.1"]])
    const outbound = createOutbound({ allowedHosts: [], lookup: rebinding })
    const url = `http://rebind.example:${port}/`
    const first = outbound.request("revocation", url, { ...GET, timeoutMs: 300 })
    expect(["connection", "timeout"]).toContain(await codeOf(first))
    expect(await codeOf(get(outbound, url))).toBe("refused-address")
    expect(connections - before).toBe(0)
  })

  it("refuses user names, port 0, other protocols, and http where only https is allowed", async () => {
    const outbound = createOutbound({ allowedHosts: ["127.0.0.1"] })
    const before = connections
    for (const url of [
      `http://user@127.0.0.1:${port}/`,
      `http://user:word@127.0.0.1:${port}/`,
      `http://public.example%40127.0.0.1:${port}/`,
      "http://127.0.0.1:0/",
      `ftp://127.0.0.1:${port}/`,
      "file:///etc/passwd",
      "javascript:alert(1)",
      "//127.0.0.1/",
      "",
    ])
      expect([url, await codeOf(get(outbound, url))]).toEqual([url, "unsupported-url"])
    for (const purpose of ["download", "callback"] as const) {
      const sent = outbound.request(purpose, `http://127.0.0.1:${port}/`, GET)
      expect(await codeOf(sent)).toBe("unsupported-url")
    }
    expect(connections - before).toBe(0)
  })

  it("knows public addresses from all others", () => {
    for (const address of ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    for (const address of ["", "x", "10.0.0.1", "::8.8.8.8"]) expect(isPublicAddress(address)).toBe(false)
  })
})

const GET = { method: "GET", headers: {}, maxBytes: 1000, timeoutMs: 5000 } as const

function get(outbound: ReturnType<typeof createOutbound>, url: string) {
  return outbound.request("revocation", url, GET)
}

async function codeOf(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => "none",
    (error) => {
      if (!(error instanceof OutboundFailed)) throw error
      expect(error.message).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/)
      return error.code
    },
  )
}

/** A resolver whose answers follow one another, the last one for ever. */
function answering(answers: string[][]): LookupFunction {
  let asked = 0
  return (_, options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    if (options.all) return callback(null, found)
    callback(null, found[0]?.address ?? "", found[0]?.family)
  }
}
