// Validation time sliding and past validation (EN 319 102-1, 5.6.2.1, 5.6.2.2 and 5.6.2.4), with statuses of any kind.

import type { Crl } from "@paraph/pki/crl"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import { beforeAll, describe, expect, it } from "vitest"
import { createContext } from "../context.ts"
import { prove } from "../evidence/proofs.ts"
import { indeterminate, type Outcome } from "../outcome.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import { algorithmUse } from "../policy/reliability.ts"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import { newCrl, newOcspResponse, newResponder } from "../testing/revocation-evidence.ts"
import { validatePast } from "./past.ts"

const at = (day: string) => new Date(`2026-${day}T12:00:00Z`)
const NOW = new Date("2027-06-01T00:00:00Z")
const YEAR = { notBefore: at("01-01"), notAfter: at("12-31") }
const CURRENT = indeterminate("OUT_OF_BOUNDS_NO_POE")

let root: Holder
let ada: Holder
beforeAll(async () => {
  root = await newRoot({ name: "Root", keyUsage: ["keyCertSign", "cRLSign"] })
  ada = await newHolder(root, { name: "Ada", ...YEAR })
})

type Case = {
  /** When a time-stamp proves the signature, the certificate and what is listed in `proved`. */
  readonly existed: Date
  readonly responses?: readonly BasicOcspResponse[]
  readonly crls?: readonly Crl[]
  readonly proved?: readonly object[]
  /** From the one below the root to the signer. */
  readonly holders?: readonly Holder[]
}

function past(one: Case): Outcome {
  const { existed, responses = [], crls = [], proved = [...responses, ...crls], holders = [ada] } = one
  const certificates = holders.map((holder) => holder.certificate)
  const certificate = certificates.at(-1) ?? ada.certificate
  const evidence = { certificates, answers: responses, lists: crls, locations: new Map() }
  const trust = { anchors: [{ certificate: root.certificate }], services: [] }
  const context = createContext(DEFAULT_POLICY, NOW, trust, evidence)
  const subject = {}
  for (const thing of [subject, ...certificates, ...proved]) prove(context.proofs, thing, existed)
  const path = { anchor: root.certificate, certificates }
  const use = algorithmUse(certificate.signatureAlgorithm, certificate.publicKeySpki, "sha256")
  return validatePast(context, { subject, path, purpose: "signature", use }, CURRENT)
}

const MAY = at("05-20")
const good = () =>
  newOcspResponse(ada.certificate, root, { thisUpdate: at("05-19"), nextUpdate: at("05-25") })

describe("a signature whose certificate has ended", () => {
  it("held if it is proved to have existed while a good status was fresh", async () => {
    expect(past({ existed: MAY, responses: [await good()] }).indication).toBe("PASSED")
  })

  it("stays as it is without any status, and without a proof of the status", async () => {
    expect(past({ existed: MAY })).toBe(CURRENT)
    const response = await good()
    const late = past({ existed: MAY, responses: [response], proved: [] })
    expect(late.indication).not.toBe("FAILED")
  })

  it("failed if it existed before the certificate did", async () => {
    const outcome = past({ existed: new Date("2025-12-01"), responses: [await good()] })
    expect(outcome).toMatchObject({ indication: "FAILED", subIndication: "NOT_YET_VALID" })
  })

  it("does not hold if it is proved only after the certificate had ended", async () => {
    expect(past({ existed: new Date("2027-02-01"), responses: [await good()] }).indication).not.toBe("PASSED")
  })
})

describe("a revocation in the past", () => {
  const revoked = (since: string, responder?: Holder) =>
    newOcspResponse(
      ada.certificate,
      root,
      { since: at(since), thisUpdate: at("07-01"), nextUpdate: at("07-02") },
      responder,
    )

  it("later than the signature does no harm", async () => {
    expect(past({ existed: MAY, responses: [await good(), await revoked("06-01")] }).indication).toBe(
      "PASSED",
    )
  })

  it("before the signature is not outweighed by an older good status", async () => {
    expect(past({ existed: MAY, responses: [await good(), await revoked("05-10")] })).toBe(CURRENT)
  })

  it("counts although its responder has expired and an older good CRL comes from the issuer itself", async () => {
    const responder = await newResponder(root, { notBefore: at("01-01"), notAfter: at("08-01") })
    const crl = await newCrl(ada.certificate, root, { thisUpdate: at("05-19"), nextUpdate: at("05-25") })
    const response = await revoked("05-10", responder)
    expect(past({ existed: MAY, responses: [response], crls: [crl], proved: [crl] })).toBe(CURRENT)
  })

  it("counts although nothing proves that it is older than today", async () => {
    const [old, response] = [await good(), await revoked("05-10")]
    expect(past({ existed: MAY, responses: [old, response], proved: [old] })).toBe(CURRENT)
  })

  it("that is a hold counts although a revoked authority has moved the control time before it was stated", async () => {
    const authority = { basicConstraints: { ca: true }, keyUsage: ["keyCertSign", "cRLSign"] } as const
    const ca = await newHolder(root, { name: "CA", ...authority, ...YEAR })
    const bea = await newHolder(ca, { name: "Bea", ...YEAR })
    const ordinary = { thisUpdate: at("05-19"), nextUpdate: at("05-25") }
    const hold = { reason: "certificateHold", thisUpdate: at("11-10"), nextUpdate: at("11-11") } as const
    const responses = [
      await newOcspResponse(ca.certificate, root, { ...ordinary, since: at("06-01") }),
      await newOcspResponse(bea.certificate, ca, ordinary),
    ]
    const holders = [ca, bea]
    expect(past({ existed: MAY, responses, holders }).indication).toBe("PASSED")
    const held = await newOcspResponse(bea.certificate, ca, { ...hold, since: at("05-10") })
    expect(past({ existed: MAY, responses: [...responses, held], holders })).toBe(CURRENT)
  })

  it("counts from the earliest date that is stated", async () => {
    const responses = [await good(), await revoked("06-01"), await revoked("05-10")]
    expect(past({ existed: MAY, responses })).toBe(CURRENT)
  })
})
