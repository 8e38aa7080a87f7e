import { describe, expect, it } from "vitest"
import { newIdentification } from "../identification/model.ts"
import { LIMITS } from "../limits.ts"
import type { Signature } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import type { Vouch } from "./model.ts"
import { canBeCertified, establishedName, nameStatement, statedName, subjectOf } from "./name.ts"
import type { ProvenName } from "./proven-name.ts"

const PRODUCTION = { kind: "production", quality: "AES" } as const
const DEMO = { kind: "demo", quality: "AES" } as const
const AT = SAMPLE_TIME.toISOString()

const identityOf = (firstName: string | null, lastName: string | null) => ({
  provider: null,
  ...{ firstName, lastName },
  mobileNumber: "+41791234567",
  issuingCountry: null,
  identityReference: null,
})

function signatureWith(more: Partial<Signature>): Signature {
  const [signature] = sampleRequest([null]).signatures
  if (signature === undefined) throw new Error("The sample has no signature.")
  return { ...signature, ...more }
}

const stated = signatureWith({ identity: identityOf("Anna", "Muster") })
const vouch: Vouch = {
  givenName: "Anna",
  surname: "Muster",
  mobileNumber: null,
  document: "passport",
  by: "bob@acme.example",
  at: AT,
}
const accepted = {
  ...newIdentification("i1", "demo_ident", true),
  state: "ACCEPTED",
  decidedAt: SAMPLE_TIME,
  name: "Anna Maria Muster",
} as const
const proven: ProvenName = {
  accountId: "a1",
  businessId: null,
  name: "Anna Muster",
  givenName: null,
  surname: null,
  by: "identification",
  proof: { by: "identification", source: "demo_ident", at: AT },
}

describe("the name in the certificate of a production signature", () => {
  it("[B3] is neither what the sender states nor what the account says of itself", () => {
    const account = { name: "Christine Lagarde", proven: null }
    expect(establishedName(PRODUCTION, stated, account, SAMPLE_TIME)).toBeNull()
    expect(establishedName(PRODUCTION, stated, null, SAMPLE_TIME)).toBeNull()
    expect(statedName(stated, account)).toMatchObject({ name: "Christine Lagarde", proof: null })
  })

  it("[B3] is the one that a provider of identification verified, before any other", () => {
    const signature = signatureWith({ identification: accepted, vouch })
    expect(establishedName(PRODUCTION, signature, { name: "x", proven }, SAMPLE_TIME)).toMatchObject({
      ...{ name: "Anna Maria Muster", by: "identification" },
      proof: { source: "demo_ident", at: AT },
    })
  })

  it("[B3] is the one that a member of the business vouched for", () => {
    expect(establishedName(PRODUCTION, signatureWith({ vouch }), null, SAMPLE_TIME)).toMatchObject({
      ...{ name: "Anna Muster", givenName: "Anna", surname: "Muster", by: "member" },
      proof: { source: "bob@acme.example", at: AT },
    })
  })

  it("[B3] is the one that was proved for the account earlier, as long as that stands", () => {
    const account = { name: "Christine Lagarde", proven }
    const later = (ms: number) => new Date(SAMPLE_TIME.getTime() + ms)
    expect(establishedName(PRODUCTION, stated, account, later(0))).toMatchObject({
      ...{ name: "Anna Muster", by: "account" },
      proof: { source: "demo_ident", at: AT },
    })
    expect(establishedName(PRODUCTION, stated, account, later(LIMITS.provenNameMs))).not.toBeNull()
    expect(establishedName(PRODUCTION, stated, account, later(LIMITS.provenNameMs + 1))).toBeNull()
  })

  it("[B3] is not that of an identification that was rejected, or has expired", () => {
    const rejected = { ...accepted, state: "REJECTED" } as const
    const expired = { ...accepted, until: SAMPLE_TIME }
    for (const identification of [rejected, expired])
      expect(establishedName(PRODUCTION, signatureWith({ identification }), null, SAMPLE_TIME)).toBeNull()
  })
})

describe("the name in the certificate of a demo signature", () => {
  it("is that of the account, or else what the requester stated, and never what was typed", () => {
    const ann = signatureWith({ identity: identityOf("Ann", "Example") })
    expect(establishedName(DEMO, ann, { name: "Ann B. Example", proven: null }, SAMPLE_TIME)).toMatchObject({
      name: "Ann B. Example",
      by: "account",
    })
    expect(establishedName(DEMO, ann, null, SAMPLE_TIME)).toEqual({
      name: "Ann Example",
      givenName: "Ann",
      surname: "Example",
      by: "requester",
      proof: null,
    })
    expect(establishedName(DEMO, signatureWith({}), null, SAMPLE_TIME)).toBeNull()
  })
})

describe("what the certificate states", () => {
  it("[B3] is the provider, or that a member met the signer, and never the address of the member", () => {
    const identified = establishedName(
      PRODUCTION,
      signatureWith({ identification: accepted }),
      null,
      SAMPLE_TIME,
    )
    expect(identified && nameStatement(identified)).toEqual({
      ...{ by: "identification", provider: "demo_ident", at: SAMPLE_TIME },
    })
    const vouched = establishedName(PRODUCTION, signatureWith({ vouch }), null, SAMPLE_TIME)
    expect(vouched && nameStatement(vouched)).toEqual({ by: "member", provider: null, at: SAMPLE_TIME })
    const demo = statedName(stated, null)
    expect(demo && nameStatement(demo)).toBeNull()
  })
})

describe("any name in a certificate", () => {
  it("[B11] is one line, whoever stated it, and states no quality", () => {
    const old = "Ann\n\u202eExam\u200bple"
    const shown = { name: "Ann Example" }
    const none = signatureWith({ identity: identityOf(null, null) })
    expect(statedName(none, { name: old })).toMatchObject(shown)
    const identified = signatureWith({ identification: { ...accepted, name: old } })
    expect(establishedName(PRODUCTION, identified, null, SAMPLE_TIME)).toMatchObject(shown)
    const split = signatureWith({ identity: identityOf("Ann\n", "\u202eExam\u200bple") })
    expect(statedName(split, null)).toMatchObject(shown)
    expect(statedName(signatureWith({ identity: identityOf("\u200b", null) }), null)).toBeNull()
    expect(subjectOf({ name: old, givenName: "Ann\n", surname: null }, "s1")).toMatchObject({
      commonName: "Ann Example",
      givenName: "Ann",
      surname: null,
    })
    expect(["Ann Example", "Ann Example QES", "Ann\nExample"].map(canBeCertified)).toEqual([
      true,
      false,
      false,
    ])
  })
})
