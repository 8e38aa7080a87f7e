import { describe, expect, it } from "vitest"
import { sampleRequest } from "../testing/sample.ts"
import type { Letter } from "./event.ts"
import type { SignatureRequest } from "./model.ts"
import { isStillTrue, toldOf } from "./told.ts"

const EXPIRY = { date: "2026-11-30", passesAt: new Date("2026-11-30T23:00:00Z") }
const open = (more: Partial<SignatureRequest> = {}) =>
  sampleRequest([null, null], { lifecycle: "started", expiresAt: EXPIRY, documentCount: 2, ...more })

describe("what a letter says", () => {
  it("names the signed documents that are to be attached, in their newest versions, and none that are not", () => {
    const request = open({ attachOnSuccess: ["SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"] })
    const signed = {
      ...request,
      documents: request.documents.map((d) => ({ ...d, newestId: `${d.id}-signed` })),
    }
    expect(toldOf(signed, "completed")).toMatchObject({
      attach: ["d1-signed", "d2-signed"],
      protocol: true,
      signerCount: 2,
      documentCount: 2,
    })
    expect(toldOf({ ...signed, attachOnSuccess: ["SIGNATURE_PROTOCOL"] }, "completed")).toMatchObject({
      attach: [],
      protocol: true,
    })
    expect(toldOf({ ...signed, attachOnSuccess: [] }, "completed")).toMatchObject({ protocol: false })
  })

  it("names to a signer the documents that were theirs to sign, and to followers all of them", () => {
    const request = open({ attachOnSuccess: ["SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"] })
    const signatures = request.signatures.map((s) =>
      s.id === "s2" ? { ...s, restricted: true, marks: s.marks.filter((m) => m.documentId === "d2") } : s,
    )
    const attached = (to: string | null) => toldOf({ ...request, signatures }, "completed", to)
    expect(attached("s1")).toMatchObject({ attach: ["d1", "d2"], documentCount: 2 })
    // The protocol tells of all of them.
    expect(attached("s2")).toMatchObject({ attach: ["d2"], documentCount: 1, protocol: false })
    expect(attached(null)).toMatchObject({ attach: ["d1", "d2"], documentCount: 2, protocol: true })
  })

  it("names who declined as the others know them, and the reason", () => {
    const declined = (more: object) => {
      const [first, second] = open().signatures
      if (first === undefined || second === undefined) throw new Error("Two signers.")
      const signature = { ...second, state: "declined" as const, declineReason: "No.", ...more }
      return toldOf(open({ signatures: [first, signature] }), "declined")
    }
    const identity = { provider: null, mobileNumber: null, issuingCountry: null, identityReference: null }
    const of = { by: "s2", reason: "No." }
    expect(declined({})).toMatchObject({ who: "s2@example.org", ...of })
    expect(declined({ identity: { ...identity, firstName: "Ben", lastName: "Other" } })).toMatchObject({
      who: "Ben Other",
      ...of,
    })
    expect(declined({ identity: { ...identity, firstName: "Ben", lastName: null } })).toMatchObject({
      who: "Ben",
    })
    expect(declined({ email: null })).toMatchObject({ who: "s2" })
  })

  it("carries all of it, since the request may be gone: title, kind, creator, message, date", () => {
    const request = open({ creator: "ann@acme.example", withdrawMessage: "Sorry." })
    const of = { title: "Contract", kind: "demo", creator: "ann@acme.example" }
    expect(toldOf(request, "withdrawn")).toEqual({ letter: "withdrawn", ...of, message: "Sorry." })
    expect(toldOf(request, "expired")).toEqual({ letter: "expired", ...of, lastDay: "2026-11-30" })
    expect(toldOf(request, "observer-added")).toEqual({ letter: "observer-added", ...of })
  })

  it("is nothing where nothing happened", () => {
    expect(toldOf(open(), "declined")).toBeNull()
    expect(toldOf(open({ expiresAt: null }), "expired")).toBeNull()
    expect(toldOf(open({ expiresAt: null }), "expiring-soon")).toBeNull()
  })
})

describe("a letter at the time of sending", () => {
  const to = { email: "s1@example.org", language: "en", signatureId: "s1" } as const
  const isTrue = (letter: Letter, now: SignatureRequest | null) => {
    const told = toldOf(withDeclined(open()), letter)
    if (told === null) throw new Error("A letter without words.")
    return isStillTrue(now, told, to)
  }
  const withDeclined = (request: SignatureRequest): SignatureRequest => ({
    ...request,
    signatures: request.signatures.map((s) => (s.id === "s2" ? { ...s, state: "declined" } : s)),
  })

  it.each(["completed", "declined", "withdrawn", "expired"] as const)(
    "is sent, though the request is gone: %s",
    (letter) => {
      expect(isTrue(letter, null)).toBe(true)
    },
  )

  it("warns of an end that is still to come, and of no other", () => {
    expect(isTrue("expiring-soon", open())).toBe(true)
    expect(isTrue("expiring-soon", null)).toBe(false)
    expect(isTrue("expiring-soon", open({ lifecycle: "withdrawn" }))).toBe(false)
    expect(isTrue("expiring-soon", open({ expiresAt: null }))).toBe(false)
    const signed = open().signatures.map((s) => (s.id === "s1" ? { ...s, state: "signed" as const } : s))
    expect(isTrue("expiring-soon", open({ signatures: signed }))).toBe(false)
  })

  it("tells nobody to observe what is gone", () => {
    expect(isTrue("observer-added", open())).toBe(true)
    expect(isTrue("observer-added", null)).toBe(false)
  })
})
