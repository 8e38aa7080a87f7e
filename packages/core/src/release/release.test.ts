import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { transition } from "../signature-request/machine.ts"
import { type SignatureRequest, statusOf } from "../signature-request/model.ts"
import { screenOf } from "../signature-request/view.ts"
import {
  advanced,
  minutes,
  NAME,
  offered,
  released,
  sampleIntent,
  sampleRelease,
  turnTaken,
} from "../testing/released.ts"
import { sampleConsent } from "../testing/sample.ts"
import { bindingOf } from "./binding.ts"
import type { Passed, Release } from "./model.ts"
import { mustPass } from "./pass.ts"
import { mustBeReleased } from "./use.ts"

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
  return "taken"
}
const first = (request: SignatureRequest) => {
  const [signature] = request.signatures
  if (signature === undefined) throw new Error("There is no signer.")
  return signature
}

describe("a turn on the documents", () => {
  it("goes from the press over the offer to the release, and only then is anything signed", () => {
    const request = advanced()
    const taken = turnTaken(request)
    expect(screenOf(taken, first(taken), minutes(1))).toBe("working")
    const open = offered(taken)
    expect(screenOf(open, first(open), minutes(2))).toBe("release")
    const step = transition(open, {
      type: "release",
      signatureId: "s1",
      releaseId: "k1",
      factor: "totp",
      binding: "b",
      at: minutes(3),
    })
    expect(step.effects).toEqual([{ type: "sign", signatureId: "s1", documentId: "d1" }])
    expect(screenOf(step.request, first(step.request), minutes(1000))).toBe("working")
  })

  it("asks for the key and the certificate at the press, and for no signature", () => {
    const consent = sampleConsent()
    const step = transition(advanced(), {
      type: "take-turn",
      signatureId: "s1",
      releaseId: "k1",
      consent,
      until: minutes(10),
      name: NAME,
      provider: null,
      at: minutes(0),
    })
    expect(step.effects).toEqual([{ type: "prepare-release", signatureId: "s1", releaseId: "k1" }])
  })

  it("refuses the consent that is enough for the service's own key", () => {
    const at = minutes(0)
    const plain = () =>
      transition(advanced(), { type: "consent", signatureId: "s1", consent: sampleConsent(), at })
    expect(codeOf(plain)).toBe("not-released")
  })

  it("keeps others from the document while it lasts, and lets them when it is over", () => {
    const taken = turnTaken(advanced(2))
    const other = (at: Date) => () =>
      transition(taken, {
        type: "take-turn",
        signatureId: "s2",
        releaseId: "k2",
        consent: sampleConsent(at),
        until: new Date(at.getTime() + 600_000),
        name: NAME,
        provider: null,
        at,
      })
    expect(codeOf(other(minutes(9)))).toBe("others-signing")
    expect(codeOf(other(minutes(10)))).toBe("taken")
  })

  it("that passed is no consent: the person reads again, may decline, and may take another", () => {
    const taken = offered(turnTaken(advanced()))
    expect(screenOf(taken, first(taken), minutes(10))).toBe("read")
    expect(
      codeOf(() =>
        transition(taken, {
          type: "release",
          signatureId: "s1",
          releaseId: "k1",
          factor: "totp",
          binding: "b",
          at: minutes(10),
        }),
      ),
    ).toBe("release-over")
    const declined = transition(taken, { type: "decline", signatureId: "s1", reason: null, at: minutes(11) })
    expect(statusOf(declined.request)).toBe("DECLINED")
    expect(first(declined.request).consent).toBeNull()
    expect(first(turnTaken(taken, minutes(12))).turn?.until).toEqual(minutes(22))
  })

  it("ends by the signer at once, by time only when it has passed, and never after the release", () => {
    const end = (request: SignatureRequest, by: "signer" | "time", at: Date) =>
      first(transition(request, { type: "end-turn", signatureId: "s1", releaseId: "k1", by, at }).request)
    const open = offered(turnTaken(advanced()))
    expect(end(open, "signer", minutes(2)).consent).toBeNull()
    expect(end(open, "time", minutes(9)).turn?.state).toBe("offered")
    expect(end(open, "time", minutes(10)).turn).toBeNull()
    expect(end(released(open), "signer", minutes(5)).turn?.state).toBe("released")
    expect(end(released(open), "time", minutes(50)).turn?.state).toBe("released")
  })

  it("of another release neither offers nor releases", () => {
    const open = offered(turnTaken(advanced()))
    const swapped = { signatureId: "s1", releaseId: "k2", at: minutes(3) }
    expect(
      codeOf(() => transition(open, { type: "release", ...swapped, factor: "totp", binding: "b" })),
    ).toBe("release-over")
    expect(codeOf(() => transition(open, { type: "offer-release", ...swapped, certificateSha256: "" }))).toBe(
      "release-over",
    )
  })
})

/** Everything of a release by which one could be taken for another. */
const text = fc.string({ minLength: 1, maxLength: 8 })
const anotherTime = fc.integer({ min: -30, max: 60 }).map(minutes)
const marks = fc.array(fc.record({ documentId: text, onto: text, versionId: text, sha256: text }), {
  maxLength: 3,
})
const FORGED = fc.record(
  { id: text, signatureId: text, certificateSha256: text, marks, until: anotherTime },
  { requiredKeys: [] },
)
const PASSED = fc.option(
  fc.record({
    factor: fc.constantFrom("passkey", "totp", "sms"),
    by: text,
    at: anotherTime,
  }) as fc.Arbitrary<Passed>,
)
const sha256 = (of: string) => `hash of ${of}`
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

describe("a release", () => {
  const offer = sampleRelease()
  const binding = bindingOf(offer, sha256)

  it("[R07] passes once, in its time, for its signature and its bytes; of 10,000 that are replayed, swapped or expired none does", () => {
    expect(codeOf(() => mustPass(offer, "s1", binding, binding, minutes(9)))).toBe("taken")
    let forged = 0
    fc.assert(
      fc.property(FORGED, PASSED, anotherTime, text, (changes, passed, at, signer) => {
        const other: Release = { ...offer, ...changes, passed }
        const proved = bindingOf(other, sha256)
        const isTheVeryOne = same(other, offer) && at < offer.until && signer === "s1"
        if (isTheVeryOne) return
        forged += 1
        // What was proved for another one, shown for this one; and this one, too late or a second time.
        const swapped = codeOf(() => mustPass({ ...offer, passed }, "s1", binding, proved, at))
        const isSame = proved === binding && passed === null && at < offer.until
        expect(swapped).toBe(isSame ? "taken" : "release-over")
        const ofAnother = codeOf(() => mustPass(other, signer, proved, proved, at))
        const isGood = signer === other.signatureId && passed === null && at < other.until
        expect(ofAnother).toBe(isGood ? "taken" : "release-over")
      }),
      { numRuns: 10_000 },
    )
    expect(forged).toBeGreaterThan(9_900)
  })

  it("lets the key make its own marks; of 10,000 that are for others, changed or not passed none is made", () => {
    const signature = first(released(offered(turnTaken(advanced()))))
    const passed: Passed = { factor: "passkey", by: "a1", at: minutes(2) }
    const good: Release = { ...offer, passed }
    expect(codeOf(() => mustBeReleased(good, signature, sampleIntent(), "h1"))).toBe("taken")
    let made = 0
    fc.assert(
      fc.property(FORGED, PASSED, text, (changes, by, hash) => {
        const other: Release = { ...good, ...changes, passed: by }
        const isGood = same({ ...other, passed: null, until: null }, { ...good, passed: null, until: null })
        const inTime = by !== null && by.at < other.until
        const used = codeOf(() => mustBeReleased(other, signature, sampleIntent(), "h1"))
        expect(used).toBe(isGood && inTime ? "taken" : "not-released")
        if (used === "taken" && !isGood) made += 1
        expect(codeOf(() => mustBeReleased(good, signature, sampleIntent(), hash))).toBe(
          hash === "h1" ? "taken" : "not-released",
        )
      }),
      { numRuns: 10_000 },
    )
    expect(made).toBe(0)
    const open = first(offered(turnTaken(advanced())))
    for (const not of [null, offer])
      expect(codeOf(() => mustBeReleased(not, signature, sampleIntent(), "h1"))).toBe("not-released")
    expect(codeOf(() => mustBeReleased(good, open, sampleIntent(), "h1"))).toBe("not-released")
  })
})
