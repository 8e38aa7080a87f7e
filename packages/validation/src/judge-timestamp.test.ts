import { createHash, sign } from "node:crypto"
import { bytesSource } from "@paraph/pades/source"
import { readTimestampRequest, timestampRequest } from "@paraph/pki/timestamp"
import { writeTimestampToken } from "@paraph/pki/timestamp-writer"
import { beforeAll, describe, expect, it } from "vitest"
import { judgeTimestamp } from "./judge-timestamp.ts"
import { type Beside, readBeside } from "./material/beside.ts"
import { type SigningWorld, signingWorld } from "./testing/signing-world.ts"

const NOON = new Date("2026-11-16T12:00:00Z")
const LATER = new Date("2026-11-16T14:00:00Z")
const NEXT_YEAR = new Date("2027-11-16T12:00:00Z")
const STAMPED = Buffer.from("the head of a log")

describe("a time-stamp that stands by itself", () => {
  let world: SigningWorld
  let token: Uint8Array
  /** Signed and raised after the time-stamp was made: it holds what was said of the authority then. */
  let beside: Uint8Array
  beforeAll(async () => {
    const validity = {
      notBefore: new Date("2026-01-01T00:00:00Z"),
      notAfter: new Date("2030-01-01T00:00:00Z"),
    }
    world = await signingWorld({ signer: validity, authorities: [validity, validity] })
    token = await stamp(STAMPED)
    beside = await world.raise(world.sign(LATER), "B-LTA", LATER)
  })

  async function stamp(bytes: Uint8Array): Promise<Uint8Array> {
    const [authority] = world.authorities
    if (authority === undefined) throw new Error("There is no authority.")
    const digest = createHash("sha256").update(bytes).digest()
    return writeTimestampToken({
      certificate: authority.certificate,
      chain: [],
      algorithm: "ecdsa-sha256",
      signBytes: async (signed) => sign("sha256", signed, authority.privateKey),
      request: readTimestampRequest(timestampRequest({ digest, digestAlgorithm: "sha256", nonce: 1n })),
      policy: "2.25.1",
      serialNumber: 77n,
      genTime: NOON,
    })
  }

  const judged = (der = token, stamped: Uint8Array = STAMPED, more = {}) =>
    judgeTimestamp(der, stamped, {
      now: NEXT_YEAR,
      anchors: [{ certificate: world.root.certificate }],
      beside: [readBeside(bytesSource(beside))],
      ...more,
    })

  it("holds, with what a signed PDF beside it says of its authority", () => {
    expect(judged()).toMatchObject({
      indication: "TOTAL-PASSED",
      time: NOON.toISOString(),
      authority: "Clock 0",
      type: "document",
    })
  })

  it("is undecided where there is more evidence beside it than is read", () => {
    const junk = (i: number) => Uint8Array.of(0x30, 4, 2, 2, i >> 8, i & 255)
    const flood: Beside = ({ ocspResponse }) => {
      for (let i = 0; i <= 10_000; i++) ocspResponse(junk(i))
    }
    const more = { beside: [readBeside(bytesSource(beside)), flood] }
    expect(judged(token, STAMPED, more)).toMatchObject({ indication: "INDETERMINATE" })
  })

  it("has what lies beside it read once, for however many there are", () => {
    const source = bytesSource(beside)
    let reads = 0
    const counted = {
      ...source,
      read: (...range: Parameters<typeof source.read>) => {
        reads += 1
        return source.read(...range)
      },
    }
    const both = { beside: [readBeside(counted)] }
    const first = judged(token, STAMPED, both)
    const after = reads
    expect(after).toBeGreaterThan(0)
    expect(judged(token, STAMPED, both)).toEqual(first)
    expect(first).toMatchObject({ indication: "TOTAL-PASSED" })
    expect(reads).toBe(after)
  })

  it("cannot be decided where nothing is known of the authority, or nobody trusts it", () => {
    expect(judged(token, STAMPED, { beside: [] })).toMatchObject({ indication: "INDETERMINATE" })
    expect(judged(token, STAMPED, { anchors: [] })).toMatchObject({
      indication: "INDETERMINATE",
      subIndication: "NO_CERTIFICATE_CHAIN_FOUND",
    })
  })

  it("does not hold over other bytes, or where anything in what it says was changed", () => {
    expect(judged(token, Buffer.from("another head"))).toMatchObject({
      indication: "TOTAL-FAILED",
      subIndication: "HASH_FAILURE",
    })
    const year = Buffer.from(token).indexOf("20261116120000Z")
    const moved = Buffer.from(token)
    moved.write("2025", year, "latin1")
    expect(judged(moved).indication).not.toBe("TOTAL-PASSED")
  })

  it("is an answer too where it cannot be read", () => {
    for (const der of [new Uint8Array(), Buffer.from("nothing"), token.subarray(0, 100)])
      expect(judged(der)).toMatchObject({ indication: "TOTAL-FAILED", subIndication: "FORMAT_FAILURE" })
  })
})
