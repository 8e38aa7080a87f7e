import { describe, expect, it } from "vitest"
import type { Credentials } from "../account/model.ts"
import { newIdentification } from "../identification/model.ts"
import type { Signature, SignatureRequest } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import { factorsOf, mayActivate } from "./factors.ts"
import type { Vouch } from "./model.ts"

const REACH = { reaches: () => true, perBusiness: 100 }
const NUMBER = "+41791234567"
const HOUR_MS = 3_600_000
const inHours = (hours: number): Date => new Date(SAMPLE_TIME.getTime() + hours * HOUR_MS)

const accountWith = (more: Partial<Credentials>): Credentials => ({
  id: "a1",
  email: "anna@example.org",
  name: "Anna Muster",
  passwordHash: "hash",
  totp: null,
  passkeyCount: 0,
  passkeysHeldUntil: null,
  recoveryCodeCount: 0,
  ...more,
})
const appHeldUntil = (heldUntil: Date | null) =>
  accountWith({
    totp: { secret: { kekId: "k", wrapped: new Uint8Array() }, since: SAMPLE_TIME, heldUntil },
  })

const vouchedFor = (mobileNumber: string | null): Vouch => ({
  ...{ givenName: "Anna", surname: "Muster", mobileNumber, document: "passport" },
  ...{ by: "bob@acme.example", at: SAMPLE_TIME.toISOString() },
})
const identifiedIn = (browserHash: string | null) =>
  ({ ...newIdentification("i1", "demo_ident", true), state: "ACCEPTED", browserHash }) as const

const identity = {
  ...{ provider: null, firstName: "Anna", lastName: "Muster", mobileNumber: NUMBER },
  ...{ issuingCountry: null, identityReference: null },
}

function factors(
  more: Partial<Signature>,
  account: Credentials | null,
  { kind = "production", browserHash }: { kind?: SignatureRequest["kind"]; browserHash?: string } = {},
  now = SAMPLE_TIME,
) {
  const request = sampleRequest([null], { kind, quality: "AES" })
  const [sample] = request.signatures
  if (sample === undefined) throw new Error("The sample has no signature.")
  const signature = { ...sample, identity, ...more }
  const session = browserHash === undefined ? {} : { browserHash }
  return factorsOf({ request, signature, session, account }, REACH, now)
}

describe("the factors that activate the key of a production signature", () => {
  it("[B3] leave out one that was added less than 72 hours ago, and say from when it counts", () => {
    const heldUntil = inHours(72)
    expect(factors({}, appHeldUntil(heldUntil))).toEqual({ kinds: [], heldUntil })
    expect(factors({}, appHeldUntil(heldUntil), {}, inHours(72))).toEqual({
      kinds: ["totp"],
      heldUntil: null,
    })
  })

  it("[B3] are the older ones where another one is held", () => {
    const both = { ...appHeldUntil(null), passkeyCount: 1, passkeysHeldUntil: inHours(72) }
    expect(factors({}, both)).toEqual({ kinds: ["totp"], heldUntil: null })
  })

  it("[B3] are no codes by SMS to a number that only the sender states", () => {
    expect(factors({}, null).kinds).toEqual([])
    expect(factors({ vouch: vouchedFor(null) }, null).kinds).toEqual([])
    expect(factors({ vouch: vouchedFor("+41790000000") }, null).kinds).toEqual([])
    expect(factors({ vouch: vouchedFor(NUMBER) }, null).kinds).toEqual(["sms"])
  })

  it("[B3] count at once in the browser in which the signer was identified, and in no other", () => {
    const identification = identifiedIn("b1")
    const held = appHeldUntil(inHours(72))
    expect(factors({ identification }, held, { browserHash: "b1" }).kinds).toEqual(["totp"])
    expect(factors({ identification }, null, { browserHash: "b1" }).kinds).toEqual(["sms"])
    for (const other of [{ browserHash: "b2" }, {}]) {
      expect(factors({ identification }, held, other).kinds).toEqual([])
      expect(factors({ identification }, null, other).kinds).toEqual([])
    }
    const pending = { ...identification, state: "PENDING_REVIEW" } as const
    expect(factors({ identification: pending }, held, { browserHash: "b1" }).kinds).toEqual([])
    expect(factors({ identification: identifiedIn(null) }, held).kinds).toEqual([])
  })

  it("[B3] are judged one by one: of two passkeys the new one is held", () => {
    const request = sampleRequest([null], { kind: "production", quality: "AES" })
    const [signature] = request.signatures
    if (signature === undefined) throw new Error("The sample has no signature.")
    const of = { request, signature, session: {} }
    expect(mayActivate(of, null, SAMPLE_TIME)).toBe(true)
    expect(mayActivate(of, inHours(1), SAMPLE_TIME)).toBe(false)
    expect(mayActivate(of, inHours(1), inHours(1))).toBe(true)
  })
})

it("with a demo key every factor counts at once, and a telephone only without one", () => {
  const demo = { kind: "demo" } as const
  expect(factors({}, appHeldUntil(inHours(72)), demo).kinds).toEqual(["totp"])
  expect(factors({}, null, demo).kinds).toEqual(["sms"])
})
