import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { octetString, oid, sequence } from "../der/der-writer.ts"
import { type OpenSsl, openssl } from "../testing/openssl.ts"
import { type Holder, newHolder, newRoot, TIME_STAMPING } from "../testing/small-pki.ts"
import {
  readTimestampRequest,
  readTimestampResponse,
  type TimestampRequest,
  timestampRequest,
} from "./timestamp.ts"
import { checkTimestamp, readTimestampToken } from "./timestamp-token.ts"
import { refusedTimestamp, writeTimestampRejection, writeTimestampResponse } from "./timestamp-writer.ts"

const NONCE = 0x7edc_ba98_7654_3210n
const DATA = "What is stamped."
const POLICY = "2.999.7"
const digest = createHash("sha256").update(DATA).digest()
const GEN_TIME = new Date("2026-11-15T10:00:00.120Z")
let judge: OpenSsl

beforeAll(async () => {
  judge = await openssl()
})
afterAll(() => judge.remove())

// `openssl ts` verifies by its PKCS#7 code, which knows neither PSS nor Ed25519.
const FOR_OPENSSL_TS = ["rsa-sha256", "ecdsa-sha256", "ecdsa-sha384"] as const

describe.each(FOR_OPENSSL_TS)("a token with %s", (algorithm) => {
  let root: Holder
  let clock: Holder
  beforeAll(async () => {
    root = await newRoot(algorithm)
    clock = await newHolder(root, algorithm, TIME_STAMPING)
  })

  it("is verified by openssl against the request, and not against another", async () => {
    const query = timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE })
    const response = await judge.file("response", await stamped(clock, [root], readTimestampRequest(query)))
    const anchor = ["-CAfile", await judge.certificate("root.pem", root.certificate.der)]
    const verify = async (asked: Uint8Array) =>
      judge.run("ts", "-verify", "-in", response, "-queryfile", await judge.file("query", asked), ...anchor)
    expect(await verify(query)).toEqual({ ok: true, text: expect.stringContaining("Verification: OK") })
    const other = timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE + 1n })
    expect(await verify(other)).toEqual({ ok: false, text: expect.stringContaining("nonce mismatch") })
  })

  it("is read by openssl as it was written", async () => {
    const query = timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE })
    const response = await judge.file("response", await stamped(clock, [root], readTimestampRequest(query)))
    const { text } = await judge.run("ts", "-reply", "-in", response, "-text")
    expect(text).toContain("Status: Granted.")
    expect(text).toContain(`Policy OID: ${POLICY}`)
    expect(text).toContain("Serial number: 0x2A")
    expect(text).toContain("Time stamp: Nov 15 10:00:00.12 2026 GMT")
    expect(text).toContain("Accuracy: 0x01 seconds, 0x01F4 millis")
    expect(text).toContain("Ordering: no")
    expect(text).toContain("Nonce: 0x7EDCBA9876543210")
  })
})

describe("writeTimestampResponse", () => {
  it("makes a PSS token that openssl verifies as the CMS that it is", async () => {
    const root = await newRoot("rsa-pss-sha256")
    const clock = await newHolder(root, "rsa-pss-sha256", TIME_STAMPING)
    const query = timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE })
    const read = readTimestampResponse(await stamped(clock, [root], readTimestampRequest(query)))
    if (read.status !== "granted") throw new Error(read.status)
    const anchor = [
      "-purpose",
      "timestampsign",
      "-CAfile",
      await judge.certificate("root.pem", root.certificate.der),
    ]
    const token = ["-inform", "DER", "-in", await judge.file("token", read.token), "-out", judge.path("tst")]
    const judged = await judge.run("cms", "-verify", "-cades", "-binary", ...token, ...anchor)
    expect(judged).toEqual({ ok: true, text: expect.stringContaining("CAdES Verification successful") })
    expect(await judge.read("tst")).toEqual(readTimestampToken(read.token).signedData.content)
  })

  it("makes an Ed25519 token that our own check accepts", async () => {
    const root = await newRoot("ed25519")
    const clock = await newHolder(root, "ed25519", TIME_STAMPING)
    const query = timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE })
    const read = readTimestampResponse(await stamped(clock, [root], readTimestampRequest(query)))
    if (read.status !== "granted") throw new Error(read.status)
    const verdict = checkTimestamp(readTimestampToken(read.token), {
      digest,
      digestAlgorithm: "sha256",
      nonce: NONCE,
    })
    expect(verdict).toMatchObject({ valid: true, genTime: GEN_TIME, signatureDigest: "none" })
  })

  it("leaves the certificates out when the request does not want them", async () => {
    const root = await newRoot()
    const clock = await newHolder(root, "ecdsa-sha256", TIME_STAMPING)
    const request = readTimestampRequest(
      timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE, certReq: false }),
    )
    const read = readTimestampResponse(await stamped(clock, [root], request))
    if (read.status !== "granted") throw new Error(read.status)
    const token = readTimestampToken(read.token)
    expect(token.signedData.certificates).toEqual([])
    expect(checkTimestamp(token, { digest, digestAlgorithm: "sha256" })).toEqual({
      valid: false,
      reason: "certificate",
    })
    const { certificate } = clock
    expect(checkTimestamp(token, { digest, digestAlgorithm: "sha256", certificate })).toMatchObject({
      valid: true,
    })
  })

  it("refuses to hand out what another key signed", async () => {
    const root = await newRoot()
    const clock = await newHolder(root, "ecdsa-sha256", TIME_STAMPING)
    const request = readTimestampRequest(
      timestampRequest({ digest, digestAlgorithm: "sha256", nonce: NONCE }),
    )
    await expect(stamped({ ...clock, signBytes: root.signBytes }, [], request)).rejects.toThrow(
      "does not verify",
    )
  })
})

describe("writeTimestampRejection", () => {
  it("is read by openssl, and refused as an answer", async () => {
    const rejection = await judge.file("response", writeTimestampRejection("badAlg", "SHA-1 is over."))
    const { text } = await judge.run("ts", "-reply", "-in", rejection, "-text")
    expect(text).toContain("Status: Rejected.")
    expect(text).toContain("Status description: SHA-1 is over.")
    expect(text).toContain("unrecognized or unsupported algorithm identifier")
    for (const failure of ["systemFailure", "addInfoNotAvailable", "unacceptedPolicy"] as const) {
      const other = await judge.file("response", writeTimestampRejection(failure))
      expect((await judge.run("ts", "-reply", "-in", other, "-text")).text).toContain("Failure info:")
    }
  })
})

describe("refusedTimestamp", () => {
  const request = (order: { policy?: string; sha1?: boolean }) =>
    readTimestampRequest(
      timestampRequest({
        digest: order.sha1 === true ? digest.subarray(0, 20) : digest,
        digestAlgorithm: order.sha1 === true ? "sha1" : "sha256",
        nonce: NONCE,
        ...(order.policy === undefined ? {} : { policy: order.policy }),
      }),
    )

  it("grants our policy or none, and names what it does not grant", () => {
    expect(refusedTimestamp(request({}), { policy: POLICY })).toBeUndefined()
    expect(refusedTimestamp(request({ policy: POLICY }), { policy: POLICY })).toBeUndefined()
    expect(refusedTimestamp(request({ policy: "2.999.8" }), { policy: POLICY })).toBe("unacceptedPolicy")
    expect(refusedTimestamp(request({ sha1: true }), { policy: POLICY })).toBe("badAlg")
    const extension = { id: "2.999.9", critical: false, value: octetString(sequence(oid("2.999.9"))) }
    const extended: TimestampRequest = { ...request({}), extensions: [extension] }
    expect(refusedTimestamp(extended, { policy: POLICY })).toBe("unacceptedExtension")
  })
})

function stamped(clock: Holder, chain: readonly Holder[], request: TimestampRequest): Promise<Uint8Array> {
  return writeTimestampResponse({
    ...clock,
    request,
    policy: POLICY,
    serialNumber: 42n,
    genTime: GEN_TIME,
    accuracyMs: 1500,
    chain: chain.map(({ certificate }) => certificate),
  })
}
