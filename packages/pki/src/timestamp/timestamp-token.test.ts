import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { digestIdentifier } from "../algorithm/digest.ts"
import { SIGNATURE_ALGORITHMS } from "../algorithm/signature-algorithm.ts"
import { signedAttributes, signedData } from "../cms/cms.ts"
import { boolean, integer, nullValue, octetString, oid, sequence, writeTagged } from "../der/der-writer.ts"
import { surviveMutations } from "../testing/mutations.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { type Holder, newHolder, newRoot, TIME_STAMPING } from "../testing/small-pki.ts"
import { rsaKey } from "../testing/weak.ts"
import { readTimestampResponse, timestampRequest } from "./timestamp.ts"
import { checkTimestamp, readTimestampToken, type TimestampToken } from "./timestamp-token.ts"

const NONCE = 0xfedc_ba98_7654_3210n
const digest = createHash("sha256").update("What is stamped.").digest()
const asked = { digest, digestAlgorithm: "sha256" } as const
const TST_INFO = "1.2.840.113549.1.9.16.1.4"

let peer: OpenSsl
let root: Holder
let clock: Holder
beforeAll(async () => {
  peer = await openssl()
  root = await newRoot()
  clock = await newHolder(root, "ecdsa-sha256", TIME_STAMPING)
})
afterAll(() => peer.remove())

describe("a token of openssl", () => {
  it("is read and accepted, against its request and no other", async () => {
    const token = readTimestampToken(await stampedByOpenssl())
    expect(token).toMatchObject({
      policy: "1.2.3.4",
      serialNumber: 256n,
      accuracy: { seconds: 1, millis: 500, micros: 100 },
      ordering: true,
      nonce: NONCE,
    })
    expect(token.tsa?.form).toBe("directoryName")
    expect(Math.abs(token.genTime.getTime() - Date.now())).toBeLessThan(60_000)
    expect(checkTimestamp(token, { ...asked, nonce: NONCE, policy: "1.2.3.4" })).toMatchObject({
      valid: true,
      genTime: token.genTime,
      certificate: { der: clock.certificate.der },
      digest: "sha256",
      signatureDigest: "sha256",
    })
    const refused = (reason: string) => ({ valid: false, reason })
    const other = createHash("sha256").update("Another.").digest()
    expect(checkTimestamp(token, { ...asked, digest: other })).toEqual(refused("imprint"))
    expect(checkTimestamp(token, { ...asked, digestAlgorithm: "sha512" })).toEqual(refused("imprint"))
    expect(checkTimestamp(token, { ...asked, nonce: NONCE + 1n })).toEqual(refused("nonce"))
    expect(checkTimestamp(token, { ...asked, policy: "1.2.3.5" })).toEqual(refused("policy"))
  })

  it("gives a value or a DerError for mutated bytes, and a valid verdict only of the same time", async () => {
    const bytes = await stampedByOpenssl()
    const { genTime } = readTimestampToken(bytes)
    const read = surviveMutations(bytes, (mutated) => {
      const verdict = checkTimestamp(readTimestampToken(mutated), {
        ...asked,
        certificate: clock.certificate,
      })
      if (verdict.valid) expect(verdict.genTime).toEqual(genTime)
    })
    expect(read).toBeGreaterThan(100)
  })
})

describe("readTimestampToken", () => {
  it.each([
    ["20261115100000Z", "2026-11-15T10:00:00.000Z"],
    ["20261115100000.5Z", "2026-11-15T10:00:00.500Z"],
    ["20261115100000.123456Z", "2026-11-15T10:00:00.123Z"],
    ["20261115100000.0009Z", "2026-11-15T10:00:00.000Z"],
  ])("reads the time %s", async (text, expected) => {
    expect((await token({ genTime: text })).genTime.toISOString()).toBe(expected)
  })

  it.each([
    "20261115100000.50Z",
    "20261115100000.Z",
    "20261115100000",
    "202611151000Z",
    "20261131100000Z",
    "20261115100000+0100",
  ])("refuses the time %s", async (text) => {
    await expect(token({ genTime: text })).rejects.toThrow("genTime is not a time")
  })

  it("refuses an accuracy out of range, another version, and parts out of order", async () => {
    const millis = writeTagged(0x80, Uint8Array.of(0x03, 0xe8))
    await expect(token({ rest: [sequence(millis)] })).rejects.toThrow("out of range")
    const none = writeTagged(0x81)
    await expect(token({ rest: [sequence(none)] })).rejects.toThrow("integer without content")
    await expect(token({ version: 2 })).rejects.toThrow("version is unknown")
    await expect(token({ rest: [integer(1), boolean(true)] })).rejects.toThrow("more parts")
    await expect(token({ rest: [integer(1n << 600n)] })).rejects.toThrow("nonce is too large")
  })

  it("reads a default that is written out", async () => {
    expect((await token({ rest: [boolean(false)] })).ordering).toBe(false)
    expect((await token({ rest: [boolean(true)] })).ordering).toBe(true)
  })

  it("refuses a SignedData of anything else", async () => {
    const attributes = attributesOf(clock, new Uint8Array(), "1.2.840.113549.1.7.1")
    const signatureValue = await clock.signBytes(attributes)
    const mark = signedData({ ...clock, signedAttributes: attributes, signatureValue, chain: [] })
    expect(() => readTimestampToken(mark)).toThrow("not TSTInfo")
  })
})

describe("checkTimestamp", () => {
  it("gives the certificates that came along, to build a path from", async () => {
    const verdict = checkTimestamp(await token({ chain: [root] }), asked)
    if (!verdict.valid) throw new Error(verdict.reason)
    expect(verdict.certificates.map(({ subjectName }) => subjectName).toSorted()).toEqual(["Clock", "Root"])
  })

  it("accepts extensions that need not be understood, and no other", async () => {
    const extension = (critical: boolean) => {
      const flag = critical ? [boolean(true)] : []
      return writeTagged(0xa1, sequence(oid("2.999.1"), ...flag, octetString(nullValue())))
    }
    expect(checkTimestamp(await token({ rest: [extension(false)] }), asked)).toMatchObject({ valid: true })
    const refused = checkTimestamp(await token({ rest: [extension(true)] }), asked)
    expect(refused).toEqual({ valid: false, reason: "extension" })
  })

  it("demands the nonce of the request, if there was one", async () => {
    const without = await token({})
    expect(checkTimestamp(without, asked)).toMatchObject({ valid: true })
    expect(checkTimestamp(without, { ...asked, nonce: NONCE })).toEqual({ valid: false, reason: "nonce" })
  })

  it.each([
    ["not critical", { extendedKeyUsageCritical: false }, "extended-key-usage"],
    ["wider", { extendedKeyUsage: ["1.3.6.1.5.5.7.3.8", "1.3.6.1.5.5.7.3.4"] }, "extended-key-usage"],
    ["another one", { extendedKeyUsage: ["1.3.6.1.5.5.7.3.4"] }, "extended-key-usage"],
    ["right, but not for signatures", { keyUsage: ["keyEncipherment"] }, "key-usage"],
  ] as const)("refuses an authority whose key purpose is %s", async (_, order, reason) => {
    const odd = await newHolder(root, "ecdsa-sha256", { ...TIME_STAMPING, ...order })
    expect(checkTimestamp(await token({ clock: odd }), asked)).toEqual({ valid: false, reason })
  })

  it("refuses a certificate without any key purpose", async () => {
    const plain = await newHolder(root, "ecdsa-sha256")
    const refused = checkTimestamp(await token({ clock: plain }), asked)
    expect(refused).toEqual({ valid: false, reason: "extended-key-usage" })
  })

  it("refuses two signers and none", async () => {
    const read = await token({})
    const [info] = read.signedData.signerInfos
    if (info === undefined) throw new Error("no signer")
    for (const signerInfos of [[], [info, info]]) {
      const refused = checkTimestamp({ ...read, signedData: { ...read.signedData, signerInfos } }, asked)
      expect(refused).toEqual({ valid: false, reason: "signers" })
    }
  })

  it("refuses a weak imprint and a weak key, unless the caller takes any", async () => {
    const sha1 = createHash("sha1").update("What is stamped.").digest()
    const imprint = sequence(digestIdentifier("sha1"), octetString(sha1))
    const stamped = await token({ imprint })
    const about = { digest: sha1, digestAlgorithm: "sha1" } as const
    const refused = { valid: false, reason: "algorithm-too-weak" }
    expect(checkTimestamp(stamped, about)).toEqual(refused)
    expect(checkTimestamp(stamped, { ...about, algorithms: "any" })).toMatchObject({ valid: true })

    const key = rsaKey(1024)
    const order = { ...TIME_STAMPING, publicKeySpki: key.publicKeySpki }
    const weak = await token({ clock: { ...(await newHolder(root, "ecdsa-sha256", order)), ...key } })
    expect(checkTimestamp(weak, asked)).toEqual(refused)
    expect(checkTimestamp(weak, { ...asked, algorithms: "any" })).toMatchObject({ valid: true })
  })

  it("refuses a token whose TSTInfo was exchanged", async () => {
    const [honest, forged] = [await token({}), await token({ genTime: "20200101000000Z" })]
    const { content = new Uint8Array() } = forged.signedData
    const mixed: TimestampToken = { ...forged, signedData: { ...honest.signedData, content } }
    expect(checkTimestamp(mixed, asked)).toEqual({ valid: false, reason: "message-digest" })
  })
})

type Parts = {
  readonly version?: number
  readonly genTime?: string
  readonly imprint?: Uint8Array
  readonly rest?: readonly Uint8Array[]
  readonly clock?: Holder
  readonly chain?: readonly Holder[]
}

/** A token that is signed in order and says what the test wants. */
async function token(parts: Parts): Promise<TimestampToken> {
  const { version = 1, genTime = "20261115100000Z", rest = [], chain = [] } = parts
  const signer = parts.clock ?? clock
  const content = sequence(
    integer(version),
    oid("2.999.7"),
    parts.imprint ?? sequence(digestIdentifier("sha256"), octetString(digest)),
    integer(42),
    writeTagged(0x18, Buffer.from(genTime, "latin1")),
    ...rest,
  )
  const attributes = attributesOf(signer, content, TST_INFO)
  const mark = signedData({
    ...signer,
    signedAttributes: attributes,
    signatureValue: await signer.signBytes(attributes),
    chain: chain.map(({ certificate }) => certificate),
    encapsulated: { contentType: TST_INFO, content },
  })
  return readTimestampToken(mark)
}

function attributesOf(
  { certificate, algorithm }: Holder,
  content: Uint8Array,
  contentType: string,
): Uint8Array {
  const contentDigest = createHash(SIGNATURE_ALGORITHMS[algorithm].digest).update(content).digest()
  return signedAttributes({ contentDigest, certificate, algorithm, contentType })
}

async function stampedByOpenssl(): Promise<Uint8Array> {
  const config = `[tsa]
serial = ${await peer.file("serial", "00FF")}
crypto_device = builtin
signer_cert = ${await peer.certificate("clock.pem", clock.certificate.der)}
certs = ${await peer.certificate("chain.pem", root.certificate.der)}
signer_key = ${await peer.key("clock.key", clock)}
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`
  const query = await peer.file("query", timestampRequest({ ...asked, nonce: NONCE }))
  const output = ["-queryfile", query, "-out", peer.path("response")]
  const options = ["-config", await peer.file("tsa.conf", config), "-section", "tsa"]
  const { ok, text } = await peer.run("ts", "-reply", ...options, ...output)
  if (!ok) throw new Error(text)
  const read = readTimestampResponse(await peer.read("response"))
  if (read.status !== "granted") throw new Error(read.status)
  return read.token
}
