// Properties: adding a revoked answer never improves a verdict, and an answer that a stranger signed changes none. The cases are
// a grammar of revocation evidence: OCSP responses and CRLs by the issuer, by responders that have expired or need a check of
// their own, with ordinary and with odd times, CRLs with a scope and delta CRLs, about a signature with and without a proof of
// its time.

import { openPdf } from "@paraph/pades/document"
import { bytesSource } from "@paraph/pades/source"
import type { Crl } from "@paraph/pki/crl"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import fc from "fast-check"
import { beforeAll, expect, it } from "vitest"
import { judge } from "../judge.ts"
import { gatherMaterial } from "../material/gather.ts"
import type { Material } from "../material/material.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import type { ValidationPolicy } from "../policy/policy.ts"
import type { SignatureReport } from "../report.ts"
import { casesOf } from "../testing/cases.ts"
import { type Holder, newRoot } from "../testing/keys.ts"
import {
  deltaTo,
  forgedBy,
  KEY_REASONS,
  newCrl,
  newOcspResponse,
  newResponder,
  ONLY_CA_CERTS,
  OTHER_REASONS,
  type StatusOrder,
} from "../testing/revocation-evidence.ts"
import { type SigningWorld, signingWorld } from "../testing/signing-world.ts"

const DAY_MS = 86_400_000
const START = Date.parse("2026-01-01T12:00:00Z")
const day = (number: number) => new Date(START + number * DAY_MS)
/** The signer's certificate has days 0 to 300; it signs on day 120. */
const SIGNED = 120

let world: SigningWorld
let stranger: Holder
let responders: readonly Holder[]
let documents: readonly Material[]
beforeAll(async () => {
  world = await signingWorld({
    signer: { notBefore: day(0), notAfter: day(300) },
    authorities: [{ notBefore: day(0), notAfter: day(900) }],
  })
  stranger = await newRoot({ name: "Root", keyUsage: ["keyCertSign", "cRLSign"], kind: "P-384" })
  responders = [
    world.root,
    await newResponder(world.root, { notBefore: day(0), notAfter: day(900) }),
    await newResponder(world.root, { notBefore: day(0), notAfter: day(160) }),
    await newResponder(world.root, { notBefore: day(0), notAfter: day(900) }, { needsCheck: true }),
  ]
  const signed = world.sign(day(SIGNED))
  const files = [
    signed,
    await world.raise(signed, "B-T", day(SIGNED)),
    await world.raise(await world.raise(signed, "B-T", day(SIGNED)), "B-LTA", day(SIGNED + 1)),
  ]
  documents = files.map((file) => {
    const { material, evidence } = gatherMaterial(openPdf(bytesSource(file)))
    return { ...material, evidence }
  })
})

type Drawn = {
  readonly kind: "ocsp" | "crl"
  readonly responder: number
  readonly made: number
  readonly validDays: number
  readonly producedLater: number
  readonly revokedBefore: number | undefined
  readonly isHold: boolean
  readonly scope: "none" | "ca" | "key" | "other" | "delta"
  readonly isForged: boolean
}

const SCOPES = {
  none: [],
  ca: [ONLY_CA_CERTS],
  key: [KEY_REASONS],
  other: [OTHER_REASONS],
  delta: [deltaTo(1)],
} as const

const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom("ocsp", "crl"),
  responder: fc.nat(3),
  made: fc.integer({ min: -20, max: 460 }),
  // Negative: nextUpdate lies before thisUpdate.
  validDays: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20, max: 0 }) },
  ),
  producedLater: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -30, max: 60 }) },
  ),
  revokedBefore: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
  isHold: fc.boolean(),
  scope: fc.constantFrom("none", "none", "none", "ca", "key", "other", "delta"),
  isForged: fc.constantFrom(false, false, false, true),
})

async function make(one: Drawn): Promise<BasicOcspResponse | Crl> {
  const { made, validDays, producedLater, revokedBefore, isHold } = one
  const order: StatusOrder = {
    thisUpdate: day(made),
    nextUpdate: day(made + validDays),
    producedAt: day(made + producedLater),
    ...(revokedBefore !== undefined && {
      since: day(made - revokedBefore),
      reason: isHold ? ("certificateHold" as const) : ("keyCompromise" as const),
    }),
  }
  const { certificate } = world.signer
  if (one.kind === "crl") {
    const issuer = one.isForged ? forgedBy(stranger, world.root) : world.root
    return newCrl(certificate, issuer, order, SCOPES[one.scope])
  }
  const response = await newOcspResponse(certificate, world.root, order, responders[one.responder])
  return one.isForged ? { ...response, signature: response.signature.map((octet) => octet ^ 1) } : response
}

const isResponse = (one: BasicOcspResponse | Crl): one is BasicOcspResponse => "producedAt" in one
const isCrl = (one: BasicOcspResponse | Crl): one is Crl => !isResponse(one)

function verdict(
  material: Material,
  added: readonly (BasicOcspResponse | Crl)[],
  now: Date,
  policy: ValidationPolicy,
): SignatureReport {
  const { evidence } = material
  const all: Material = {
    ...material,
    evidence: {
      ...evidence,
      certificates: [...evidence.certificates, ...responders.map(({ certificate }) => certificate)],
      answers: [...evidence.answers, ...added.filter(isResponse)],
      lists: [...evidence.lists, ...added.filter(isCrl)],
    },
  }
  const trust = { anchors: [{ certificate: world.root.certificate }], services: [] }
  const [report] = judge(all, { policy, now, trust }).signatures
  if (report === undefined) throw new Error("The document has no signature.")
  return report
}

const RANKS = ["TOTAL-FAILED", "INDETERMINATE", "TOTAL-PASSED"]
const rank = ({ indication }: SignatureReport) => RANKS.indexOf(indication)

/** As EU DSS has it by default: of any age. */
const ANY_AGE: ValidationPolicy = {
  ...DEFAULT_POLICY,
  revocation: {
    ...DEFAULT_POLICY.revocation,
    freshness: {
      signature: { at: "validation", maxAge: "none" },
      timestamp: { at: "validation", maxAge: "none" },
    },
  },
}

it("adding a revoked answer never improves a verdict", { timeout: 3_600_000 }, async () => {
  let lowered = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat(2),
      fc.array(drawn, { maxLength: 4 }),
      drawn.map((one) => ({ ...one, revokedBefore: one.revokedBefore ?? 0 })),
      fc.integer({ min: SIGNED + 1, max: 420 }),
      fc.boolean(),
      async (document, others, revocation, today, isAnyAge) => {
        const material = documents[document]
        if (material === undefined) return
        const policy = isAnyAge ? ANY_AGE : DEFAULT_POLICY
        const evidence = await Promise.all(others.map(make))
        const before = verdict(material, evidence, day(today), policy)
        const after = verdict(material, [...evidence, await make(revocation)], day(today), policy)
        const good = { ...revocation, revokedBefore: undefined }
        const instead = verdict(material, [...evidence, await make(good)], day(today), policy)
        if (rank(after) < rank(before)) lowered += 1
        if (revocation.isForged) {
          expect(rank(after)).toBe(rank(before))
          return
        }
        // A CRL is about other certificates too, that of a time-stamping authority for instance, and may help them.
        expect(rank(after)).toBeLessThanOrEqual(Math.max(rank(before), rank(instead)))
        if (rank(after) <= rank(before) || revocation.kind === "crl") return
        // EN 319 102-1, 5.5.4, step 5 a): a revocation later than the time at which the signature existed states that the
        // certificate was not revoked at that time. It may replace a status that is missing, and nothing else.
        const existed = after.timeProof === "time-stamp" ? Date.parse(after.time ?? "") : day(today).getTime()
        const since = day(revocation.made - revocation.revokedBefore)
        expect(since.getTime()).toBeGreaterThan(existed)
        expect(before.reasons.map(({ code }) => code)).not.toContain("revoked")
      },
    ),
    casesOf("adding a revoked answer", 2_000),
  )
  expect(lowered).toBeGreaterThan(0)
})
