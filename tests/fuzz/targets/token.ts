// What opens something: bearer tokens, the addresses of previews, and the addresses that mails come back to. Whatever is changed in
// one, it never opens anything else.

import { createPrivateKey } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import { Refusal } from "@paraph/core/refusal"
import { createBounceAddresses } from "../../../apps/server/src/bounce-addresses.ts"
import { createTokens } from "../../../apps/server/src/http/tokens.ts"
import { createPreviewLinks } from "../../../apps/server/src/preview-links.ts"
import { must, type Target } from "../target.ts"
import { coded, inText, Nothing, texts } from "../texts.ts"

const NOW = new Date("2026-11-15T12:00:00Z")
const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 3)]),
  format: "der",
  type: "pkcs8",
})
const PEM = KEY.export({ format: "pem", type: "pkcs8" }).toString()

const callerOf = (keyId: string, via: "key" | "session") =>
  ({ keyId, via, businessId: "b1", kind: "demo", userId: `user of ${keyId}` }) as unknown as Caller
const CALLERS = [callerOf("k1", "key"), callerOf("s1", "session")]

const tokensAt = (publicUrl: string, now: Date) =>
  createTokens({
    privateKeyPem: PEM,
    publicUrl,
    // Whom a token names is told as it stands there, so that a forged name would be seen.
    findCaller: async (keyId) => callerOf(keyId, "key"),
    findMember: async ({ sessionId, businessId, kind }) => ({
      ...callerOf(sessionId, "session"),
      businessId,
      kind,
    }),
    now: () => now,
  })
const tokens = tokensAt("https://sign.example", NOW)
const ISSUED = await Promise.all(CALLERS.map((caller) => tokens.issue(caller, 1200)))
const OLD = await tokensAt("https://sign.example", new Date("2026-11-14T12:00:00Z")).issue(
  callerOf("k1", "key"),
  1200,
)
const FOREIGN = await tokensAt("https://other.example", NOW).issue(callerOf("k1", "key"), 1200)

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

export const bearerTokens: Target = {
  name: "bearer-token",
  kind: "words",
  words: [
    "Bearer ",
    "bearer ",
    ".",
    "=",
    "_",
    "-",
    part({ alg: "none", typ: "at+jwt" }),
    part({ alg: "HS256" }),
    part({ key: "k2" }),
  ],
  seeds: () =>
    texts(
      ...[...ISSUED, OLD, FOREIGN].map((token) => `Bearer ${token}`),
      `Bearer ${part({ alg: "none", typ: "at+jwt" })}.${part({ key: "k1" })}.`,
      "Basic YTpi",
    ),
  refusals: [Nothing],
  run: async (input) => {
    const authorization = inText(input)
    const caller = await tokens
      .verify(authorization)
      .catch((error: unknown) => coded(Refusal, () => thrown(error)))
    const known = CALLERS.find(({ keyId }) => keyId === caller.keyId)
    must(known !== undefined && known.via === caller.via, "nobody comes in by a name that was not given")
    must(caller.businessId === "b1" && caller.kind === "demo", "nor into another business")
    const [, signed = ""] = /^Bearer (.*)\.[^.]*$/i.exec(authorization) ?? []
    must(
      ISSUED.some((token) => token.startsWith(`${signed}.`)),
      "what is signed is taken as it was signed",
    )
    return caller.via
  },
}

function thrown(error: unknown): never {
  throw error
}

const SECRET = Buffer.alloc(32, 5)
const IDS = ["0b9cbd6e-5ee0-4a34-8c8b-2f1f36e8f3c5", "7d3c1f0e-5b7a-4c58-9a9e-1f0b7a5c2d10"]
const links = createPreviewLinks(SECRET, "https://sign.example")
const tokenOf = (id: string) => links.urlOf(id).split("/").at(-1) ?? ""

export const previewLinks: Target = {
  name: "preview-link",
  kind: "words",
  words: ["=", "-", "_", "+", "/", "A", "%3D"],
  seeds: () =>
    texts(
      ...IDS.map(tokenOf),
      tokenOf(IDS[0] ?? "").slice(0, 30),
      "",
      Buffer.alloc(48).toString("base64url"),
    ),
  refusals: [Nothing],
  run: (input) => {
    const id = links.signatureIn(inText(input))
    if (id === null) throw new Nothing("none of ours")
    must(IDS.includes(id), "only what we wrote opens anything")
    must(tokenOf(id) === inText(input), "and there is one way to write it")
    return id
  },
}

const bounces = createBounceAddresses("bounce+{id}@mail.example", SECRET)
const BOUNCES = IDS.map((id) => bounces.of(id) ?? "")

export const bounceAddresses: Target = {
  name: "bounce-address",
  kind: "words",
  words: ["bounce+", "BOUNCE+", "@mail.example", "@", "a", "7", "0", "{id}"],
  seeds: () =>
    texts(
      ...BOUNCES,
      BOUNCES[0]?.toUpperCase() ?? "",
      "bounce+a@mail.example",
      "bounce+@mail.example",
      "x@mail.example",
    ),
  refusals: [Nothing],
  run: (input) => {
    const address = inText(input)
    const id = bounces.signatureOf(address)
    if (id === null) throw new Nothing("none of ours")
    must(IDS.includes(id), "nobody reports somebody else's mail")
    must(bounces.of(id) === address.toLowerCase(), "but for its case there is one way to write it")
    return id
  },
}
