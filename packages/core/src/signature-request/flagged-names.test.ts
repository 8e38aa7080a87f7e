import { describe, expect, it } from "vitest"
import { evidenceOf } from "../evidence/of-event.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import { evidenceOfNames, warningOf } from "./flagged-names.ts"
import type { Signature } from "./model.ts"

const MIXED = "\u0410nna Muster"
const request = sampleRequest([1, 2])
const [first, second] = request.signatures
if (first === undefined || second === undefined) throw new Error("A sample without signers.")
const stated = (signature: Signature, firstName: string, lastName: string): Signature => ({
  ...signature,
  identity: {
    ...{ provider: null, mobileNumber: null, issuingCountry: null, identityReference: null },
    ...{ firstName, lastName },
  },
})
const consentAs = (name: string) => ({ ...sampleConsent(), name })
const flagged = { type: "signature.name-flagged", at: SAMPLE_TIME, signatureId: "s1" }

describe("[B11] a name that mixes scripts", () => {
  const asked = { ...request, signatures: [stated(first, "\u0410nna", "Muster"), second] }
  const signedAs = (name: string) => ({
    ...asked,
    signatures: asked.signatures.map((one) => (one.id === "s1" ? { ...one, consent: consentAs(name) } : one)),
  })

  it("is warned of, in what the sender stated and in what the signer typed", () => {
    expect(asked.signatures.map(warningOf)).toEqual(["mixed-scripts", null])
    expect(warningOf({ ...second, consent: consentAs(MIXED) })).toBe("mixed-scripts")
    expect(warningOf(stated(second, "Anna", "Muster"))).toBeNull()
  })

  it("is evidence when the signer is asked, and once only", () => {
    const data = { name: MIXED, warning: "mixed-scripts" }
    expect(evidenceOfNames(null, asked, SAMPLE_TIME)).toEqual([{ ...flagged, data }])
    expect(evidenceOfNames(asked, asked, SAMPLE_TIME)).toEqual([])
    expect(evidenceOfNames(asked, signedAs(MIXED), SAMPLE_TIME)).toEqual([])
    expect(evidenceOfNames(asked, signedAs("Anna Muster"), SAMPLE_TIME)).toEqual([])
  })

  it("is evidence when another one is typed to sign with", () => {
    const after = signedAs("Ann\u0430 Muster")
    const event = { type: "wait", signatureId: "s1", lack: "keys", at: SAMPLE_TIME } as const
    const data = { name: "Ann\u0430 Muster", warning: "mixed-scripts" }
    expect(evidenceOf(event, asked, after)).toContainEqual({ ...flagged, data })
  })
})
