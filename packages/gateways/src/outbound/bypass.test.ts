// Security, T10: 200 forms of an address, and more, that have led others inside. Each is tried for real, by everything
// that leaves the service; the listeners inside must see no connection, and nothing may even begin one.

import { createServer as createProxy } from "node:http"
import { type AddressInfo, connect, type LookupFunction } from "node:net"
import { hostname } from "node:os"
import type { Duplex } from "node:stream"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  INSIDE,
  INSIDE_NAMES,
  LOCAL_NAMES,
  LOCATIONS,
  REBOUND,
  RESOLVED,
  THIS_MACHINE,
  WRITTEN,
} from "../testing/bypass-forms.ts"
import { startCanary, watchConnects } from "../testing/canary.ts"
import { askThrough, DOORS } from "../testing/doors.ts"
import { startHttpsPeer } from "../testing/https-peer.ts"
import { OutboundFailed } from "./failed.ts"
import { createOutbound, type Outbound, type Purpose } from "./outbound.ts"
import { POLICIES } from "./policy.ts"

const PURPOSES = Object.keys(POLICIES) as Purpose[]
const EACH_DOOR = Object.entries(DOORS)
/** By the policy table, so that a new purpose is in one of the two. An OCSP request is a POST, which no purpose redirects. */
const FOLLOWING = EACH_DOOR.filter(([, purpose]) => POLICIES[purpose].redirects > 0)
const NOT_FOLLOWING = PURPOSES.filter((purpose) => POLICIES[purpose].redirects === 0)
const STATUSES = [301, 302, 303, 307, 308]
const GET = { method: "GET", headers: {}, maxBytes: 1000, timeoutMs: 5000 } as const

let peer: Awaited<ReturnType<typeof startHttpsPeer>>
let canary: Awaited<ReturnType<typeof startCanary>>
let connects: ReturnType<typeof watchConnects>

beforeAll(async () => {
  peer = await startHttpsPeer((request, response) => {
    const [path = "", location = ""] = (request.url ?? "").split("?")
    const [, status = "", hops = "0"] = path.split("/")
    if (path === "/file") return response.end("%PDF-1.7")
    if (!STATUSES.includes(Number(status))) return response.writeHead(404).end()
    const here = `/${status}/${Number(hops) - 1}?${location}`
    const said = hops === "loop" ? request.url : hops === "0" ? decode(location) : here
    response.writeHead(Number(status), { location: said }).end()
  })
  canary = await startCanary(peer)
  connects = watchConnects()
})
afterAll(async () => {
  connects.stop()
  await canary.close()
  await peer.close()
})
beforeEach(() => {
  connects.taken()
})

describe("200 forms of an address that lead inside", () => {
  it("[R13] are 200, each one different, and every purpose has a door through which they are tried", () => {
    expect(new Set(Object.values(DOORS))).toEqual(new Set(PURPOSES))
    const hosts = [...THIS_MACHINE, ...INSIDE, ...LOCAL_NAMES, ...INSIDE_NAMES]
    const answers = [...RESOLVED, ...REBOUND].map((answer) => JSON.stringify(answer))
    for (const forms of [hosts, WRITTEN, answers, LOCATIONS]) expect(new Set(forms).size).toBe(forms.length)
    expect(hosts.length + WRITTEN.length + answers.length).toBeGreaterThanOrEqual(200)
  })

  it.each(EACH_DOOR)(
    "[R12] [R13] begin no connection by %s, purpose %s, however the host is spelled",
    async (door, purpose) => {
      const outbound = createOutbound({ allowedHosts: {} })
      const before = canary.connections()
      for (const host of [...THIS_MACHINE, ...INSIDE]) {
        const url = `${schemeOf(purpose)}://${host}:${portOf(purpose)}/`
        expect([url, await codeOf(askThrough(outbound, door, url))]).toEqual([url, "refused-address"])
      }
      expect([connects.taken(), canary.connections() - before]).toEqual([[], 0])
    },
  )

  it("begin no connection as names that this machine may have for itself", async () => {
    const outbound = createOutbound({ allowedHosts: {} })
    const before = canary.connections()
    for (const host of [...LOCAL_NAMES, hostname()]) {
      const url = `http://${host}:${canary.ports.http}/`
      const code = await codeOf(outbound.request("revocation", url, { ...GET, timeoutMs: 1000 }))
      expect([url, code]).not.toEqual([url, "none"])
    }
    expect([connects.taken(), canary.connections() - before]).toEqual([[], 0])
  })

  it.each(EACH_DOOR)(
    "[R13] begin no connection by %s, purpose %s, however the address is written",
    async (door, purpose) => {
      // A name that is public is answered with nothing, so that only what leads inside could lead anywhere.
      const outbound = createOutbound({ allowedHosts: {}, lookup: answering({}) })
      const before = canary.connections()
      for (const form of WRITTEN) {
        const url = form.replaceAll("{scheme}", schemeOf(purpose)).replaceAll("{port}", portOf(purpose))
        const code = await codeOf(askThrough(outbound, door, url))
        expect([url, ["refused-address", "unsupported-url"].includes(code) && code]).toEqual([url, code])
      }
      expect([connects.taken(), canary.connections() - before]).toEqual([[], 0])
    },
  )

  it.each(EACH_DOOR)(
    "[R13] begin no connection by %s, purpose %s, whatever a name resolves to",
    async (door, purpose) => {
      const before = canary.connections()
      for (const answers of RESOLVED) {
        const outbound = createOutbound({ allowedHosts: {}, lookup: answering({ "name.example": answers }) })
        const url = `${schemeOf(purpose)}://name.example:${portOf(purpose)}/`
        expect([answers, await codeOf(askThrough(outbound, door, url))]).toEqual([answers, "refused-address"])
      }
      expect([connects.taken(), canary.connections() - before]).toEqual([[], 0])
    },
  )

  it.each(EACH_DOOR)(
    "[R13] begin no connection inside by %s, purpose %s, where a name changes its answer",
    async (door, purpose) => {
      const before = canary.connections()
      for (const answers of REBOUND) {
        const outbound = createOutbound({ allowedHosts: {}, lookup: answering({ "name.example": answers }) })
        const url = `${schemeOf(purpose)}://name.example:${portOf(purpose)}/`
        // The first answer is public and is tried, once for each of its addresses; it is never asked for again.
        const first = outbound.request(purpose, url, { ...GET, timeoutMs: 100 })
        expect(["connection", "timeout"]).toContain(await codeOf(first))
        const tried = connects.taken()
        expect(tried.filter((to) => to.startsWith("2fff::"))).toEqual(tried)
        expect(tried.length).toBeGreaterThanOrEqual(1)
        expect(await codeOf(askThrough(outbound, door, url))).toBe("refused-address")
        expect(connects.taken()).toEqual([])
      }
      expect(canary.connections() - before).toBe(0)
    },
  )
})

describe("redirects of a server that stands for a public one", () => {
  const spellings = () =>
    [...THIS_MACHINE, ...INSIDE].filter(isPlain).map((host) => `https://${host}:{port}/`)

  it.each(FOLLOWING.filter(([door]) => door !== "an OCSP responder"))(
    "[R14] lead nowhere inside by %s, purpose %s",
    async (door) => {
      const outbound = trustingPeer()
      const before = canary.connections()
      for (const [index, location] of [...LOCATIONS, ...spellings()].entries()) {
        const status = STATUSES[index % STATUSES.length] ?? 302
        const url = redirecting(location, status)
        expect([location, await codeOf(askThrough(outbound, door, url))]).not.toEqual([location, "none"])
        expect(onlyToPeer(connects.taken())).toBeGreaterThanOrEqual(1)
      }
      expect(canary.connections() - before).toBe(0)
    },
  )

  it.each(STATUSES)(
    "[R14] are judged alike with status %i, also after hops that were good",
    async (status) => {
      const outbound = trustingPeer()
      const before = canary.connections()
      for (const [hops, code, requests] of [
        [0, "refused-address", 1],
        [1, "refused-address", 2],
        [2, "refused-address", 3],
        [3, "too-many-redirects", 4],
        ["loop", "too-many-redirects", 4],
      ] as const) {
        const url = redirecting("https://127.0.0.1:{port}/", status, hops)
        expect([hops, await codeOf(askThrough(outbound, "file_url", url))]).toEqual([hops, code])
        expect(onlyToPeer(connects.taken())).toBe(requests)
      }
      expect(canary.connections() - before).toBe(0)
    },
  )

  it("[R14] are tried for each purpose of the policy table", () => {
    const following = FOLLOWING.map(([, purpose]) => purpose)
    expect(new Set([...following, ...NOT_FOLLOWING])).toEqual(new Set(PURPOSES))
  })

  it.each(NOT_FOLLOWING)("[R14] are not followed at all, purpose %s", async (purpose) => {
    const outbound = trustingPeer()
    const before = canary.connections()
    for (const location of [...LOCATIONS, "https://peer.example:{peer}/file"])
      for (const method of ["GET", "POST"] as const) {
        const { status } = await outbound.request(purpose, redirecting(location, 307), { ...GET, method })
        expect([status, onlyToPeer(connects.taken())]).toEqual([307, 1])
      }
    expect(canary.connections() - before).toBe(0)
  })
})

describe("behind a proxy", () => {
  const asked: string[] = []
  const tunnels: Duplex[] = []
  let proxied: Outbound
  const proxy = createProxy((request, response) => {
    asked.push(request.url ?? "")
    response.end("a CRL")
  }).on("connect", (request, socket) => {
    asked.push(request.url ?? "")
    const onward = connect(peer.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      onward.pipe(socket).pipe(onward)
    })
    for (const end of [onward, socket]) end.on("error", () => end.destroy())
    tunnels.push(socket, onward)
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    proxied = createOutbound({ allowedHosts: {}, proxyUrl, caFile: peer.caFile })
  })
  afterAll(async () => {
    for (const tunnel of tunnels) tunnel.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  })

  it.each(EACH_DOOR)(
    "[R13] the proxy is asked by %s, purpose %s, for nothing that means this machine or its network",
    async (door, purpose) => {
      const urls = [...THIS_MACHINE, ...INSIDE, ...LOCAL_NAMES, ...INSIDE_NAMES].map(
        (host) => `${schemeOf(purpose)}://${host}:${portOf(purpose)}/`,
      )
      for (const url of urls)
        expect([url, await codeOf(askThrough(proxied, door, url))]).toEqual([url, "refused-address"])
      expect([connects.taken(), asked]).toEqual([[], []])
    },
  )

  it("a redirect is judged as without one", async () => {
    const before = canary.connections()
    for (const location of LOCATIONS.filter((each) => !/(peer|inside|rebound)\.example/.test(each))) {
      const url = redirecting(location, 302).replace(`:${peer.port}`, "")
      expect([location, await codeOf(askThrough(proxied, "file_url", url))]).not.toEqual([location, "none"])
      expect(new Set(asked.splice(0))).toEqual(new Set(["peer.example:443"]))
    }
    expect(canary.connections() - before).toBe(0)
  })
})

describe("the listeners inside", () => {
  it("would have been reached by every spelling of this machine, had the operator named it", async () => {
    for (const purpose of ["revocation", "download"] as const)
      for (const host of THIS_MACHINE) {
        const before = canary.connections()
        const url = `${schemeOf(purpose)}://${host}:${portOf(purpose)}/`
        const outbound = createOutbound({ allowedHosts: { [purpose]: [new URL(url).host] } })
        await outbound.request(purpose, url, GET).catch(() => undefined)
        expect([url, canary.connections() - before]).toEqual([url, 1])
      }
  })

  it.each(["127.0.0.1", "peer.example"])(
    "are reached as %s where they were named, for no other purpose",
    async (host) => {
      const lookup = answering({ "peer.example": [["127.0.0.1"]] })
      for (const named of PURPOSES) {
        const outbound = createOutbound({ allowedHosts: { [named]: [host] }, caFile: peer.caFile, lookup })
        for (const purpose of PURPOSES) {
          const before = canary.connections()
          const code = await codeOf(outbound.request(purpose, `https://${host}:${canary.ports.https}/`, GET))
          expect([named, purpose, code, canary.connections() - before]).toEqual(
            purpose === named ? [named, purpose, "none", 1] : [named, purpose, "refused-address", 0],
          )
        }
      }
    },
  )

  it("are named by their whole name, and by their port where one is given", async () => {
    const { https: port } = canary.ports
    const everywhere = ["127.0.0.1"]
    const lookup = () => everywhere
    for (const [named, host, reached] of [
      ["peer.example", `peer.example:${port}`, true],
      ["PEER.example", `peer.EXAMPLE:${port}`, true],
      [`peer.example:${port}`, `peer.example:${port}`, true],
      [`peer.example:${port + 1}`, `peer.example:${port}`, false],
      ["peer.example:443", `peer.example:${port}`, false],
      ["peer.example", `sub.peer.example:${port}`, false],
      ["peer.example", `peer.example.:${port}`, false],
      ["peer.example", `peer.example.evil.example:${port}`, false],
      ["peer.example", `evilpeer.example:${port}`, false],
      ["peer.example", `peer.examples:${port}`, false],
      [".example", `peer.example:${port}`, false],
      ["*.example", `peer.example:${port}`, false],
      ["example", `peer.example:${port}`, false],
      ["*", `peer.example:${port}`, false],
      ["", `peer.example:${port}`, false],
      ["https://peer.example", `peer.example:${port}`, false],
      ["127.0.0.0/8", `127.0.0.1:${port}`, false],
      ["127.0.0.1", `127.0.0.2:${port}`, false],
      ["127.0.0.1", `localhost:${port}`, false],
      ["127.0.0.1", `peer.example:${port}`, false],
    ] as const) {
      const before = canary.connections()
      const settings = { allowedHosts: { download: [named] }, caFile: peer.caFile }
      const outbound = createOutbound({ ...settings, lookup: answering({}, lookup) })
      const code = await codeOf(outbound.request("download", `https://${host}/`, GET))
      expect([named, host, code]).toEqual([named, host, reached ? "none" : "refused-address"])
      expect(canary.connections() - before).toBe(reached ? 1 : 0)
    }
  })

  it("hear a key's request without TLS only where they were named for it", async () => {
    const url = `http://127.0.0.1:${canary.ports.http}/`
    const named = createOutbound({ allowedHosts: { keys: [`127.0.0.1:${canary.ports.http}`] } })
    expect(await codeOf(named.request("keys", url, GET))).toBe("none")
    const others = createOutbound({ allowedHosts: { download: ["127.0.0.1"], callback: ["127.0.0.1"] } })
    for (const purpose of ["keys", "download", "callback"] as const)
      expect(await codeOf(others.request(purpose, url, GET))).toBe("unsupported-url")
    expect(await codeOf(others.request("keys", "http://public.example/", GET))).toBe("unsupported-url")
  })
})

/** Each with the protocol that is easiest for it: where http is taken, no certificate stands in the way. */
function schemeOf(purpose: Purpose): "http" | "https" {
  return POLICIES[purpose].http === "always" ? "http" : "https"
}

function portOf(purpose: Purpose): string {
  return String(canary.ports[schemeOf(purpose)])
}

async function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => "none",
    (error) => {
      if (!(error instanceof OutboundFailed)) throw error
      expect(error.message).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/)
      return error.code
    },
  )
}

/** The peer is on loopback, as a real one cannot be; so exactly it is named, and everything else stays guarded. */
function trustingPeer(): Outbound {
  const here = [`peer.example:${peer.port}`]
  return createOutbound({
    allowedHosts: Object.fromEntries(PURPOSES.map((purpose) => [purpose, here])),
    caFile: peer.caFile,
    lookup: answering({
      "peer.example": [["127.0.0.1"]],
      "peer.example.": [["127.0.0.1"]],
      "sub.peer.example": [["127.0.0.1"]],
      "inside.example": [["127.0.0.1"]],
      "rebound.example": [["::1"], ["127.0.0.1"]],
      localhost: [["127.0.0.1"]],
      "sub.localhost": [["127.0.0.1"]],
      "metadata.google.internal": [["169.254.169.254"]],
    }),
  })
}

function redirecting(location: string, status: number, hops: number | "loop" = 0): string {
  const said = location
    .replaceAll("{port}", String(canary.ports.https))
    .replaceAll("{peer}", String(peer.port))
  return `https://peer.example:${peer.port}/${status}/${hops}?${Buffer.from(said, "latin1").toString("base64url")}`
}

function decode(location: string): string {
  return Buffer.from(location, "base64url").toString("latin1")
}

function isPlain(host: string): boolean {
  return /^[\x21-\x7e]*$/.test(host)
}

function onlyToPeer(taken: readonly string[]): number {
  for (const to of taken) expect(to).toBe(`127.0.0.1 ${peer.port}`)
  return taken.length
}

/** A resolver whose answers for a name follow one another, the last one for ever; other names have none. */
function answering(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
  others: () => readonly string[] = () => [],
): LookupFunction {
  const times = new Map<string, number>()
  return (name, options, callback) => {
    const asked = times.get(name) ?? 0
    times.set(name, asked + 1)
    const answers = names[name]
    const addresses = answers?.[Math.min(asked, answers.length - 1)] ?? others()
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    if (options.all) return callback(null, found)
    callback(null, found[0]?.address ?? "", found[0]?.family)
  }
}
