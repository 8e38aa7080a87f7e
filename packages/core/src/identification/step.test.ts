import { describe, expect, it } from "vitest"
import { evidenceOf } from "../evidence/of-event.ts"
import { journalOf } from "../journal/of-change.ts"
import type { Event } from "../signature-request/event.ts"
import { transition } from "../signature-request/machine.ts"
import type { Quality, SignatureRequest } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import type { IdentificationEvent } from "./machine.ts"
import { newIdentification } from "./model.ts"
import { identifiedName } from "./needed.ts"

const at = new Date(SAMPLE_TIME.getTime() + 60_000)

/** OPEN, with a first signer whom a provider could identify. */
function started(quality: Quality, required = false, places: readonly number[] = [1]): SignatureRequest {
  const request = sampleRequest(places, { quality, legislation: "ZERTES" })
  const signatures = request.signatures.map((signature, index) =>
    index === 0
      ? { ...signature, identification: newIdentification("e1", "demo_ident", required) }
      : signature,
  )
  return transition({ ...request, signatures }, { type: "start", members: [], at: SAMPLE_TIME }).request
}

const identify = (step: IdentificationEvent, signatureId = "s1"): Event => ({
  type: "identify",
  signatureId,
  step,
  at,
})
const consent = (when = at): Event => ({
  type: "consent",
  signatureId: "s1",
  consent: sampleConsent(when),
  at: when,
})
/** Where a key of their own signs. */
const takeTurn = (): Event => ({
  type: "take-turn",
  signatureId: "s1",
  consent: sampleConsent(at),
  way: "link",
  releaseId: "release",
  until: new Date(at.getTime() + 600_000),
  name: { name: "Ada Lovelace", givenName: null, surname: null, by: "identification", proof: null },
  provider: null,
  at,
})
const through = (request: SignatureRequest, steps: readonly IdentificationEvent[]): SignatureRequest =>
  steps.reduce((known, step) => transition(known, identify(step)).request, request)

const BEGIN = { type: "begin" } as const
const BACK = { type: "return", attempt: 1, browserHash: null } as const
const ACCEPT = { type: "accept", attempt: 1, name: "Ada Lovelace" } as const
const REVIEWS = {
  type: "pend",
  attempt: 1,
  reason: "provider-reviews",
  name: null,
  askAt: at,
} as const

describe("[XQ-01 v2, XQ-01 v3] a signer who has to be identified", () => {
  it.each<[string, readonly IdentificationEvent[]]>([
    ["nothing has happened", []],
    ["the person went to the provider", [BEGIN]],
    ["the person is back", [BEGIN, BACK]],
    ["the provider reviews", [BEGIN, BACK, REVIEWS]],
    ["it was rejected", [BEGIN, { type: "reject", attempt: 1, reason: "other-person" }]],
  ])("cannot agree while %s", (_, steps) => {
    expect(() => transition(through(started("QES"), steps), takeTurn())).toThrow("identified")
    expect(() => transition(through(started("SES", true), steps), consent())).toThrow("identified")
  })

  it("agrees once it is accepted, in time, and by the name that was verified", () => {
    const withKey = through(started("QES"), [BEGIN, BACK, ACCEPT])
    expect(transition(withKey, takeTurn()).request.signatures[0]?.turn).not.toBeNull()
    const accepted = through(started("SES", true), [BEGIN, BACK, ACCEPT])
    const [signature] = accepted.signatures
    if (signature === undefined) throw new Error("The signer is missing.")
    expect(identifiedName(accepted, signature, at)).toBe("Ada Lovelace")
    expect(transition(accepted, consent()).request.signatures[0]?.consent).not.toBeNull()
    const late = new Date(at.getTime() + 31 * 86_400_000)
    expect(() => transition(accepted, consent(late))).toThrow("identified")
    expect(identifiedName(accepted, signature, late)).toBeNull()
  })

  it("need not be where the quality does not ask for it, nor anybody else", () => {
    const request = started("SES")
    expect(transition(request, consent()).effects).toHaveLength(1)
    expect(() => transition(request, identify(BEGIN))).toThrow("nothing to identify")
  })

  it("begins when it is their turn, and not after they have agreed", () => {
    const [first, second] = started("QES", false, [2, 1]).signatures
    expect([first?.place, second?.place]).toEqual([2, 1])
    expect(() => transition(started("QES", false, [2, 1]), identify(BEGIN))).toThrow("comes first")
    const agreed = transition(through(started("SES", true), [BEGIN, BACK, ACCEPT]), consent()).request
    expect(transition(agreed, identify({ type: "reject", attempt: 1, reason: "other-person" })).request).toBe(
      agreed,
    )
  })

  it("has the provider asked when they are back, and is written to after a review", () => {
    const begun = through(started("QES"), [BEGIN])
    const back = transition(begun, identify(BACK))
    expect(back.effects).toEqual([{ type: "ask-provider", signatureId: "s1" }])
    const reviewed = transition(through(back.request, [REVIEWS]), identify(ACCEPT))
    expect(reviewed.effects).toEqual([{ type: "remind", signatureId: "s1" }])
    expect(transition(back.request, identify(ACCEPT)).effects).toEqual([])
  })

  it("is told of in the journal and the evidence, which names nobody; being asked to wait again is no news", () => {
    const told: string[] = []
    let request = started("QES")
    for (const step of [BEGIN, BACK, REVIEWS, { ...REVIEWS, askAt: new Date(at.getTime() + 1) }, ACCEPT]) {
      const event = identify(step)
      const after = transition(request, event).request
      for (const { type, signatureId } of journalOf(event, request, after))
        told.push(`${type} ${signatureId}`)
      const evidence = evidenceOf(event, request, after)
      for (const { type } of evidence) told.push(type)
      expect(JSON.stringify(evidence)).not.toContain("Lovelace")
      request = after
    }
    expect(told).toEqual([
      "identification.started s1",
      "identification.started",
      "identification.returned",
      "identification.pending_review s1",
      "identification.pending-review",
      "identification.accepted s1",
      "identification.accepted",
    ])
  })
})
