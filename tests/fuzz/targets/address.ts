// Addresses that somebody else writes: where we call, where people go when they are done, and whose pages may show ours. What is
// taken is held against Node's own readers of URLs and networks.

import { BlockList, isIP } from "node:net"
import { callbackAddress, callbackUrlFault } from "@paraph/core/callback/address"
import { LANGUAGES } from "@paraph/core/language"
import { originOf, readArrival, shownExit } from "@paraph/core/signature-request/exits"
import { networkOf, siteOf } from "../../../apps/server/src/http/network.ts"
import { nextPath, withNext } from "../../../apps/signing/src/account/next.ts"
import { checkedUrl, isPublicAddress, meansInside } from "../../../packages/gateways/src/outbound/address.ts"
import { OutboundFailed } from "../../../packages/gateways/src/outbound/failed.ts"
import { must, type Target } from "../target.ts"
import { coded, inText, Nothing, texts } from "../texts.ts"

const URL_WORDS = [
  ..."http:// https:// HTTPS:// file:/// ftp:// ws:// javascript: data:text/html, // \\\\ user:pw@ @ : :0 :443 :80 :65536 # ?".split(
    " ",
  ),
  ..."127.0.0.1 127.1 0 0x7f.1 017700000001 2130706433 10.0.0.1 169.254.169.254 168.63.129.16 192.168.0.1 100.64.0.1".split(
    " ",
  ),
  ..."[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [fe80::1%25eth0] [fd00::1] [2002:7f00:1::] [::127.0.0.1]".split(
    " ",
  ),
  ..."[2001:db8::1] [2606:4700::1111] [2606:4700::5efe:a00:1] 1.1.1.1 8.8.8.8 localhost localhost. a.localhost x.internal".split(
    " ",
  ),
  ..."example.com EXAMPLE.com. xn--bcher-kva.example bücher.example a.example.ⓒom ①.1.1.1 １２７.0.0.1 127。0。0。1".split(
    " ",
  ),
]

// IANA's registries of special-purpose addresses (RFC 6890), and multicast; written from the registries, not from the product.
const INSIDE = new BlockList()
for (const [network, length] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
  ] as const),
  ...([
    ["172.16.0.0", 12],
    ["192.0.2.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
  ] as const),
  ...([
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const),
])
  INSIDE.addSubnet(network, length, "ipv4")
for (const [network, length] of [
  ...([
    ["::", 128],
    ["::1", 128],
    ["64:ff9b:1::", 48],
    ["100::", 64],
    ["2001::", 32],
    ["2001:2::", 48],
  ] as const),
  ...([
    ["2001:db8::", 32],
    ["2002::", 16],
    ["fc00::", 7],
    ["fe80::", 10],
    ["fec0::", 10],
    ["ff00::", 8],
  ] as const),
])
  INSIDE.addSubnet(network, length, "ipv6")

export const outboundAddresses: Target = {
  name: "outbound-address",
  kind: "words",
  words: URL_WORDS,
  seeds: () =>
    texts(
      ...["https://example.com/hook?a=1", "http://ocsp.example.com/", "https://[2606:4700::1111]:8443/x"],
      ...[
        "https://1.1.1.1/",
        "https://127.0.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "https://user:pw@example.com/",
      ],
      ...[
        "https://0x7f.1/",
        "https://example.com:0/",
        "https://169.254.169.254/latest",
        "ftp://example.com/",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const address = inText(input)
    const url = coded(OutboundFailed, () => checkedUrl("revocation", address))
    must(new URL(url.href).href === url.href, "what is called is what was checked")
    must(/^https?:$/.test(url.protocol), "it is called by http or https")
    must(`${url.username}${url.password}` === "", "no password is sent along")
    const literal = url.hostname.replace(/^\[(.*)\]$/, "$1")
    const family = isIP(literal)
    if (family !== 0) must(!isInside(literal), "no address inside a network is called")
    if (family !== 0) must(!meansInside(url), "a literal is judged as an address, not as a name")
    must(
      isRefusedByPlain(address) === (url.protocol === "http:"),
      "where https is asked for, http is refused",
    )
    return `${url.protocol} ${family}`
  },
}

function isInside(literal: string): boolean {
  return INSIDE.check(literal, isIP(literal) === 6 ? "ipv6" : "ipv4")
}

function isRefusedByPlain(address: string): boolean {
  try {
    checkedUrl("callback", address)
    return false
  } catch (error) {
    if (error instanceof OutboundFailed) return true
    throw error
  }
}

export const networks: Target = {
  name: "network",
  kind: "words",
  words: [
    ..."2001:db8:: ::ffff:1.2.3.4 ::ffff:102:304 fe80::1%eth0 1.2.3.4 0:0:0:0:0:ffff: %1 ::".split(" "),
  ],
  seeds: () =>
    texts(
      ...[
        "203.0.113.7",
        "2001:db8:1:2:3:4:5:6",
        "2001:DB8:1:2::6",
        "::ffff:203.0.113.7",
        "::1",
        "fe80::1%eth0",
      ],
      ...["::ffff:cb00:7107", "2001:db8::1.2.3.4", "0:0:0:0:0:0:0:0", "::", "1:2:3:4:5:6:7::"],
    ),
  refusals: [Nothing],
  run: (input) => {
    const address = inText(input)
    const [network, site] = [networkOf(address), siteOf(address)]
    if (isIP(address) === 0) throw new Nothing("no address")
    if (isIP(address) === 4) {
      must(network === address && site === address, "an address of IPv4 is counted as it is")
      return "IPv4"
    }
    const [bare = ""] = address.split("%")
    const list = new BlockList()
    const prefix = /^(.*)::\/64$/.exec(network)?.[1]
    if (prefix === undefined) {
      must(isIP(network) === 4 && site === network, "what is not a network is an address of IPv4")
      list.addAddress(`::ffff:${network}`, "ipv6")
      must(list.check(bare, "ipv6"), "an address of IPv4 in IPv6 is what it is in IPv4")
      return "mapped"
    }
    list.addSubnet(`${prefix}::`, 64, "ipv6")
    must(list.check(bare, "ipv6"), "an address lies in its network")
    const wider = new BlockList()
    wider.addSubnet(site.replace("/48", ""), 48, "ipv6")
    must(wider.check(bare, "ipv6") && wider.check(`${prefix}::`, "ipv6"), "a network lies in its site")
    must(networkOf(`${prefix}::1`) === network, "all of a network are one")
    return "IPv6"
  },
}

const REQUEST = "0b9cbd6e-5ee0-4a34-8c8b-2f1f36e8f3c5"
const DOCUMENT = "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10"

export const callbackUrls: Target = {
  name: "callback-url",
  kind: "words",
  words: [
    ...URL_WORDS,
    "SERVICE_SIGNATURE_REQUEST_ID",
    "SERVICE_DOCUMENT_ID",
    "service_document_id",
    "%53ERVICE_",
  ],
  seeds: () =>
    texts(
      ...["https://a.example/done/SERVICE_SIGNATURE_REQUEST_ID?d=SERVICE_DOCUMENT_ID#SERVICE_DOCUMENT_ID"],
      ...[
        "https://a.example:8443/x",
        "http://a.example/",
        "https://SERVICE_DOCUMENT_ID.example/",
        "https://u@a.example/",
      ],
      "https://a.example\\SERVICE_DOCUMENT_ID",
    ),
  refusals: [Nothing],
  run: (input) => {
    const template = inText(input)
    // The schema takes an address by RFC 3986; a parser of URLs would drop what is not seen.
    if (/[\t\n\r]/.test(template)) throw new Nothing("not by the schema")
    const fault = callbackUrlFault(template)
    if (fault !== null) throw new Nothing(fault)
    const [before, after] = [new URL(template), URL.parse(callbackAddress(template, REQUEST, DOCUMENT))]
    must(after !== null && after.protocol === "https:", "what is called is an address by https")
    must(after?.origin === before.origin, "what is filled in leads to no other place")
    must(`${after?.username}${after?.password}` === "", "what is filled in is no password")
    must(!/SERVICE_(SIGNATURE_REQUEST|DOCUMENT)_ID/.test(after?.href ?? ""), "every placeholder is filled in")
    const rest = (url: URL | null) => `${url?.pathname}${url?.search}${url?.hash}`
    const expected = rest(before).replaceAll("SERVICE_SIGNATURE_REQUEST_ID", REQUEST)
    must(rest(after) === expected.replaceAll("SERVICE_DOCUMENT_ID", DOCUMENT), "nothing else is another")
    return `${after?.port === ""}`
  },
}

export const exitUrls: Target = {
  name: "exit-url",
  kind: "words",
  words: [
    ...URL_WORDS,
    ..."exiturl= EXITURL= errorurl= declineurl= redirecttimeout= hidedownload= lang= & %26".split(" "),
  ],
  seeds: () =>
    texts(
      "exitURL=https%3A%2F%2Fa.example%2Fdone%3Fx%3D1&errorURL=https://a.example/no&redirectTimeout=20&lang=de-CH",
      "declineurl=http://localhost:3000/&hideDownload&redirecttimeout=-1.5&lang=xx",
      "exiturl=javascript:alert(1)&errorurl=https:%5C%5Ca.example&declineurl=https://u:p@a.example",
    ),
  refusals: [Nothing],
  run: (input) => {
    const query = Object.fromEntries(new URLSearchParams(inText(input)))
    const { exits, language } = readArrival(query, "demo")
    must(
      exits.seconds >= 10 && exits.seconds <= 90 && Number.isInteger(exits.seconds),
      "the pause is bounded",
    )
    must(language === null || LANGUAGES.includes(language), "a language is one of ours")
    const given = [exits.success, exits.error, exits.decline].filter((exit) => exit !== null)
    if (given.length === 0) throw new Nothing("no exit")
    for (const exit of given) {
      const url = new URL(exit)
      must(url.href === exit, "an exit is shown as browsers read it")
      must(url.protocol === "https:" || isOwnMachine(url), "people leave by https, or to their own machine")
      must(`${url.username}${url.password}` === "", "no host looks like another")
      must(shownExit(exit, 45, [])?.host === url.host, "the host that is shown is the one that is gone to")
      must(
        shownExit(exit, 45, ["https://b.example"])?.ask === (url.origin !== "https://b.example"),
        "strangers are asked for",
      )
      must(readArrival({ exiturl: exit }, "demo").exits.success === exit, "what was read is read again")
      if (url.protocol === "http:")
        must(readArrival({ exiturl: exit }, "production").exits.success === null, "http is for demo keys")
    }
    return `${given.length} ${language}`
  },
}

const isOwnMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname)

export const embedOrigins: Target = {
  name: "embed-origin",
  kind: "words",
  words: [...URL_WORDS, "; script-src *", "'none'", "*", "https://*.example"],
  seeds: () =>
    texts(
      ...[
        "https://app.example",
        "https://app.example:8443/",
        " https://APP.example ",
        "http://localhost:5173",
      ],
      ...["http://a.example", "https://a.example/x", "https://a;b.example", "https://[2001:db8::1]"],
    ),
  refusals: [Nothing],
  run: (input) => {
    const origin = originOf(inText(input))
    if (origin === null) throw new Nothing("no origin")
    must(/^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin), "it ends nothing in a header")
    must(
      new URL(origin).origin === origin && originOf(origin) === origin,
      "it is the origin that browsers compare",
    )
    must(originOf(inText(input).trim()) === origin, "white space around it says nothing")
    return new URL(origin).protocol
  },
}

const HERE = "https://sign.example"

export const nextPaths: Target = {
  name: "next-path",
  kind: "words",
  words: [
    "next=",
    "/view/",
    "/account/",
    "/console/",
    "//",
    "/\\",
    "%2F%2F",
    "%5C",
    "..",
    "%09",
    "/view/%2e%2e",
    "for=factor",
    "&",
  ],
  seeds: () =>
    texts(
      ...["?next=%2Fview%2F1%3Fa%3Db", "?next=/account/security", "?for=factor&next=%2Fconsole%2Frequests"],
      ...[
        "?next=//b.example",
        "?next=/view//b.example",
        "?next=/\\b.example",
        "?next=javascript:1",
        "?next=/view/../../x",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const search = inText(input)
    const next = nextPath(search)
    const url = URL.parse(next, `${HERE}/account/login`)
    must(url?.origin === HERE, "whoever logs in stays here")
    const again = new URL(withNext("register", search), HERE)
    must(again.origin === HERE && nextPath(again.search) === next, "it is carried along as it was")
    if (next === "/account/security") throw new Nothing("the usual one")
    return /^\/(view|account|console)\//.exec(url?.pathname ?? "")?.[1] ?? "elsewhere here"
  },
}

export const publicAddresses: Target = {
  name: "public-address",
  kind: "words",
  words: URL_WORDS.map((word) => word.replace(/^\[(.*)\]$/, "$1")),
  seeds: () =>
    texts(
      ...[
        "1.1.1.1",
        "10.0.0.1",
        "2606:4700::1111",
        "::ffff:1.1.1.1",
        "::1.1.1.1",
        "64:ff9b::101:101",
        "fe80::1%lo",
      ],
      ...[
        "168.63.129.16",
        "2001:db8::1",
        "2606:4700::5efe:a00:1",
        "0:0:0:0:0:ffff:7f00:1",
        "192.0.0.1",
        "::",
      ],
    ),
  refusals: [Nothing],
  run: (input) => {
    const address = inText(input)
    if (!isPublicAddress(address)) throw new Nothing("not public")
    const family = isIP(address)
    must(family !== 0, "what is public is an address")
    must(!isInside(address), "what a registry keeps for inside is not public")
    const [bare = ""] = address.split("%")
    const spelt = family === 6 ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : address
    must(isPublicAddress(spelt), "it is public in its usual spelling too")
    const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(spelt)
    if (mapped !== null)
      must(!isInside(quad(mapped[1], mapped[2])), "an address of IPv4 in it is public as well")
    return `${family} ${mapped !== null}`
  },
}

function quad(high = "0", low = "0"): string {
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".")
}
