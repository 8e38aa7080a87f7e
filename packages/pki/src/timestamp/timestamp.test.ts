import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DerError } from "../der/der.ts"
import { bitString, boolean, integer, oid, sequence, utf8String } from "../der/der-writer.ts"
import { surviveMutations } from "../testing/mutations.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { readTimestampRequest, readTimestampResponse, timestampRequest } from "./timestamp.ts"
import { writeTimestampRejection } from "./timestamp-writer.ts"

const NONCE = 0xfedc_ba98_7654_3210n
const sha256 = createHash("sha256").update("What is stamped.").digest()
let judge: OpenSsl

beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

describe("timestampRequest", () => {
  it.each(["sha256", "sha384", "sha512"] as const)(
    "writes a request over %s that openssl reads",
    async (name) => {
      const digest = createHash(name).update("What is stamped.").digest()
      const der = timestampRequest({ digest, digestAlgorithm: name, nonce: NONCE, policy: "2.999.1" })
      const { text } = await judge.run("ts", "-query", "-text", "-in", await judge.file("query", der))
      expect(text).toContain(`Hash Algorithm: ${name}`)
      expect(text).toContain("Policy OID: 2.999.1")
      expect(text).toContain("Nonce: 0xFEDCBA9876543210")
      expect(text).toContain("Certificate required: yes")
      expect(text.replace(/[^0-9a-f]/g, "")).toContain(digest.toString("hex", 0, 8))
    },
  )

  it("is read back as it was written, with and without the parts that are optional", () => {
    const order = { digest: sha256, digestAlgorithm: "sha256", nonce: NONCE } as const
    const imprint = { digestAlgorithm: "sha256", digest: new Uint8Array(sha256) }
    expect(readTimestampRequest(timestampRequest(order))).toMatchObject({
      imprint,
      nonce: NONCE,
      certReq: true,
    })
    const without = readTimestampRequest(timestampRequest({ ...order, certReq: false, policy: "2.999.1" }))
    expect(without).toMatchObject({ imprint, nonce: NONCE, certReq: false, policy: "2.999.1" })
  })

  it("refuses a digest of another length and a nonce out of range", () => {
    const order = { digest: sha256, digestAlgorithm: "sha256", nonce: NONCE } as const
    expect(() => timestampRequest({ ...order, digestAlgorithm: "sha512" })).toThrow(RangeError)
    expect(() => timestampRequest({ ...order, nonce: -1n })).toThrow(RangeError)
    expect(() => timestampRequest({ ...order, nonce: 1n << 256n })).toThrow(RangeError)
  })
})

describe("readTimestampRequest", () => {
  it("reads what openssl asks", async () => {
    const data = await judge.file("data", "What is stamped.")
    await judge.run("ts", "-query", "-data", data, "-sha256", "-cert", "-out", judge.path("query"))
    const request = readTimestampRequest(await judge.read("query"))
    expect(request.imprint.digest).toEqual(new Uint8Array(sha256))
    expect(request.certReq).toBe(true)
    expect(request.nonce).toBeTypeOf("bigint")
    await judge.run("ts", "-query", "-data", data, "-no_nonce", "-out", judge.path("query"))
    const bare = readTimestampRequest(await judge.read("query"))
    expect(bare).toMatchObject({ certReq: false, extensions: [] })
    expect(bare.nonce).toBeUndefined()
  })

  it("keeps an algorithm that it does not know apart, and refuses a digest that is not as long as it says", () => {
    const imprint = (algorithm: string, bytes: number) =>
      sequence(
        integer(1),
        sequence(sequence(oid(algorithm)), Buffer.concat([Uint8Array.of(4, bytes), Buffer.alloc(bytes)])),
      )
    const unknown = readTimestampRequest(imprint("2.999.1", 3))
    expect(unknown.imprint.digestAlgorithm).toBeUndefined()
    expect(() => readTimestampRequest(imprint("2.16.840.1.101.3.4.2.1", 20))).toThrow("not as long")
  })

  it("gives a value or a DerError for mutated bytes", () => {
    const der = timestampRequest({
      digest: sha256,
      digestAlgorithm: "sha256",
      nonce: NONCE,
      policy: "2.999.1",
    })
    expect(surviveMutations(der, readTimestampRequest)).toBeGreaterThan(100)
  })
})

describe("readTimestampResponse", () => {
  it("reads why an authority rejects, for machines and for people", () => {
    const rejection = writeTimestampRejection("timeNotAvailable", "The clock is being repaired.")
    expect(readTimestampResponse(rejection)).toEqual({
      status: "rejection",
      statusString: ["The clock is being repaired."],
      failInfo: ["timeNotAvailable"],
    })
    const two = sequence(sequence(integer(2), bitString(Uint8Array.of(0b1010_0000), 5)))
    expect(readTimestampResponse(two)).toMatchObject({ failInfo: ["badAlg", "badRequest"] })
  })

  it("refuses a grant without a token, a rejection with one, and a status that does not exist", () => {
    expect(() => readTimestampResponse(sequence(sequence(integer(0))))).toThrow("contradict")
    expect(() => readTimestampResponse(sequence(sequence(integer(2)), sequence()))).toThrow("contradict")
    expect(() => readTimestampResponse(sequence(sequence(integer(6))))).toThrow("status is unknown")
    expect(() => readTimestampResponse(sequence(sequence(integer(-1))))).toThrow("status is unknown")
    expect(() => readTimestampResponse(sequence(sequence(integer(2), boolean(true))))).toThrow(DerError)
  })

  it("cuts texts that are too long or too many", () => {
    const texts = sequence(...Array.from({ length: 40 }, () => utf8String("x".repeat(5000))))
    const { statusString } = readTimestampResponse(sequence(sequence(integer(2), texts)))
    expect(statusString).toHaveLength(16)
    expect(statusString[0]).toHaveLength(1024)
    const forged = sequence(sequence(integer(2), sequence(utf8String("No.\r\nGranted."))))
    expect(readTimestampResponse(forged).statusString).toEqual(["No.\ufffd\ufffdGranted."])
  })
})
