import { bytesSource } from "@paraph/pades/source"
import { describe, expect, it } from "vitest"
import { DEFAULT_POLICY } from "./policy/default-policy.ts"
import type { ValidationPolicy } from "./policy/policy.ts"
import type { SignatureReport } from "./report.ts"
import { noList, type SigningWorld, signingWorld } from "./testing/signing-world.ts"
import { validatePdf } from "./validate.ts"

const at = (day: string, time = "12:00:00") => new Date(`${day}T${time}Z`)

// Ada's certificate has 2026; the first authority stamps until the end of 2028, the second until 2033.
const newWorld = () =>
  signingWorld({
    signer: { notBefore: at("2026-01-01"), notAfter: at("2026-12-31") },
    authorities: [
      { notBefore: at("2026-01-01"), notAfter: at("2028-12-31") },
      { notBefore: at("2028-01-01"), notAfter: at("2033-12-31"), kind: "P-384" },
    ],
  })
const SIGNED = at("2026-05-05")

async function judged(
  { root }: SigningWorld,
  pdf: Uint8Array,
  now: Date,
  policy: ValidationPolicy = DEFAULT_POLICY,
): Promise<SignatureReport> {
  const anchors = [{ certificate: root.certificate }]
  const { report } = await validatePdf(bytesSource(pdf), { now, policy, anchors })
  const [signature] = report.signatures
  if (signature === undefined) throw new Error("There is no signature.")
  return signature
}

const verdict = ({ indication, subIndication }: SignatureReport) => [indication, subIndication]
const soon = at("2026-05-05", "12:30:00")

describe("the basic process (EN 319 102-1, 5.3)", async () => {
  const world = await newWorld()
  const signed = world.sign(SIGNED)
  const raised = await world.raise(signed, "B-LT", SIGNED)

  it("passes a signature with all evidence, and tells who signed when", async () => {
    const report = await judged(world, raised, soon)
    expect(verdict(report)).toEqual(["TOTAL-PASSED", undefined])
    expect(report).toMatchObject({
      signer: "Ada",
      level: "PAdES-BASELINE-LT",
      time: SIGNED.toISOString(),
      timeProof: "time-stamp",
      longTermValidation: true,
      coverage: "ENTIRE_REVISION",
      undefinedChanges: false,
    })
  })

  it("cannot decide without an anchor, or without knowing whether the certificate was revoked", async () => {
    const { report } = await validatePdf(bytesSource(raised), { now: soon, anchors: [] })
    expect(verdict(report.signatures[0] as SignatureReport)).toEqual([
      "INDETERMINATE",
      "NO_CERTIFICATE_CHAIN_FOUND",
    ])
    const bare = await judged(world, signed, soon)
    expect(verdict(bare)).toEqual(["INDETERMINATE", "CERTIFICATE_CHAIN_GENERAL_FAILURE"])
    expect(bare).toMatchObject({ level: "PAdES-BASELINE-B", timeProof: "claim", longTermValidation: false })
  })

  it("fails what was changed: the document, the signature value, the certificate that is named", async () => {
    const flipped = (find: string, offset: number) => {
      const copy = Buffer.from(signed)
      const place = copy.indexOf(find) + offset
      copy[place] = (copy[place] ?? 0) ^ 1
      return copy
    }
    const document = await judged(world, flipped("/MediaBox", 12), soon)
    expect(verdict(document)).toEqual(["TOTAL-FAILED", "HASH_FAILURE"])
    const copy = Buffer.from(signed)
    const hole = copy.indexOf("/Contents <") + "/Contents <".length
    const digits = copy.subarray(hole, copy.indexOf(">", hole)).toString("latin1").replace(/0+$/, "")
    const place = hole + digits.length - 6
    copy[place] = copy[place] === 0x30 ? 0x31 : 0x30
    expect(verdict(await judged(world, copy, soon))).toEqual(["TOTAL-FAILED", "SIG_CRYPTO_FAILURE"])
  })

  it("does not believe a time that the certificate does not cover", async () => {
    const early = await world.raise(world.sign(at("2025-12-24")), "B-LT", SIGNED)
    const report = await judged(world, early, soon)
    expect(verdict(report)).toEqual(["INDETERMINATE", "SIG_CONSTRAINTS_FAILURE"])
    expect(report.reasons[0]?.code).toBe("signing-time-outside-certificate")
  })

  it("says TRY_LATER of evidence that is older than it says itself, unless a time-stamp proves the signature older still", async () => {
    const later = at("2026-05-06")
    expect(verdict(await judged(world, raised, later))).toEqual(["TOTAL-PASSED", undefined])
    const maxAge: ValidationPolicy = {
      ...DEFAULT_POLICY,
      revocation: {
        ...DEFAULT_POLICY.revocation,
        freshness: {
          signature: { at: "validation", maxAge: "next-update" },
          timestamp: { at: "validation", maxAge: "next-update" },
        },
      },
    }
    expect(verdict(await judged(world, raised, later, maxAge))).toEqual(["INDETERMINATE", "TRY_LATER"])
  })
})

describe("revocation", () => {
  it("[VAL-02] before the signature was made is told as such, with what is missing to say more", async () => {
    const world = await newWorld()
    world.revoke(world.signer, at("2026-05-01"))
    const signed = world.sign(SIGNED)
    const known = { askOcsp: (_: string, request: Uint8Array) => world.answer(request, soon) }
    const anchors = [{ certificate: world.root.certificate }]
    const { report } = await validatePdf(bytesSource(signed), {
      now: soon,
      anchors,
      revocation: { ...known, fetchCrl: noList },
    })
    const [signature] = report.signatures
    expect([signature?.indication, signature?.subIndication]).toEqual(["INDETERMINATE", "REVOKED_NO_POE"])
    expect(signature?.reasons[0]).toMatchObject({ code: "revoked", values: { certificate: "Ada" } })
  })

  it("after a time-stamp over it does not harm a signature, and does harm one without", async () => {
    const world = await newWorld()
    const bare = world.sign(SIGNED)
    const raised = await world.raise(bare, "B-LTA", SIGNED)
    world.revoke(world.signer, at("2026-06-01"))
    const online = async (pdf: Uint8Array) => {
      const now = at("2026-07-01")
      const { report } = await validatePdf(bytesSource(pdf), {
        now,
        anchors: [{ certificate: world.root.certificate }],
        revocation: {
          askOcsp: (_, request) => world.answer(request, now),
          fetchCrl: noList,
        },
      })
      return verdict(report.signatures[0] as SignatureReport)
    }
    expect(await online(raised)).toEqual(["TOTAL-PASSED", undefined])
    expect(await online(bare)).toEqual(["INDETERMINATE", "REVOKED_NO_POE"])
  })
})

describe("the years (5.5 and 5.6)", async () => {
  const world = await newWorld()
  const signed = world.sign(SIGNED)
  const longTerm = await world.raise(signed, "B-LT", SIGNED)
  const archived = await world.raise(signed, "B-LTA", SIGNED)
  const renewed = await world.raise(archived, "B-LTA", at("2028-06-01"), 1)

  const documents = { "B-LT": longTerm, "B-LTA": archived, "B-LTA, renewed in time": renewed }

  it("goes on without a time-stamp over the document that no longer matches it, and says so", async () => {
    const text = Buffer.from(archived).toString("latin1")
    const place = text.search(/(?<=\/Contents <[0-9a-f]*)[a-f]/)
    // The same value in another spelling: the signature does not cover it, and the time-stamp does.
    const changed = Buffer.from(archived)
    changed.write(text.charAt(place).toUpperCase(), place, "latin1")
    const { indication, reasons } = await judged(world, changed, soon)
    expect(indication).toBe("TOTAL-PASSED")
    expect(reasons).toContainEqual({ code: "changed-after-timestamp", weight: "note" })
    expect((await judged(world, archived, soon)).reasons).toEqual([])
  })
  it.each([
    ["B-LT", "2027-06-01", "TOTAL-PASSED"],
    ["B-LTA", "2027-06-01", "TOTAL-PASSED"],
    ["B-LTA", "2030-06-01", "INDETERMINATE"],
    ["B-LTA, renewed in time", "2030-06-01", "TOTAL-PASSED"],
    ["B-LTA, renewed in time", "2035-06-01", "INDETERMINATE"],
  ] as const)("%s on %s: %s", async (level, day, indication) => {
    expect((await judged(world, documents[level], at(day))).indication).toBe(indication)
  })

  it("an algorithm that was given up since counts for what was time-stamped before, and for nothing else", async () => {
    const given: ValidationPolicy = {
      ...DEFAULT_POLICY,
      algorithms: { ...DEFAULT_POLICY.algorithms, ecdsa: P256_ENDS },
    }
    expect(verdict(await judged(world, renewed, at("2030-06-01"), given))).toEqual([
      "TOTAL-PASSED",
      undefined,
    ])
    expect(verdict(await judged(world, longTerm, at("2026-07-01"), given))).toEqual([
      "TOTAL-PASSED",
      undefined,
    ])
    const before: ValidationPolicy = {
      ...given,
      algorithms: { ...given.algorithms, ecdsa: [{ bits: 256, until: "2026-01-01" }, STRONG] },
    }
    expect(verdict(await judged(world, longTerm, soon, before))).toEqual([
      "INDETERMINATE",
      "CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
    ])
  })
})

const STRONG = { bits: 384, until: "for-now" }
const P256_ENDS = [{ bits: 256, until: "2029-01-01" }, STRONG]
