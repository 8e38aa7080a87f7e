import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import type { Effect, Event, EventOf } from "./event.ts"
import { transition } from "./machine.ts"
import { type SignatureRequest, type Status, statusOf } from "./model.ts"
import { removal } from "./steps/ending.ts"

const at = SAMPLE_TIME
const [sample] = sampleRequest([null]).signatures
if (sample === undefined) throw new Error("The sample has no signer.")

/** One event of each type, legal in itself. */
const EVENTS: { readonly [T in Event["type"]]: EventOf<T> } = {
  start: { type: "start", members: [], at },
  update: { type: "update", changes: { title: "Another" }, at },
  "add-signer": { type: "add-signer", signature: { ...sample, id: "new" }, at },
  "add-group": {
    type: "add-group",
    entry: { id: "e1", groupId: "g1", place: 1, notify: true, restricted: false, marks: sample.marks },
    members: [{ ...sample, id: "member" }],
    at,
  },
  "remove-signer": { type: "remove-signer", signatureId: "s1", at },
  "replace-signers": { type: "replace-signers", signatures: [], groups: [], members: [], at },
  "add-document": {
    type: "add-document",
    document: { id: "d2", newestId: "d2", name: "More", renewAt: null },
    at,
  },
  "remove-document": { type: "remove-document", documentId: "d1", at },
  "add-observer": {
    type: "add-observer",
    observer: { id: "o1", of: { type: "USER", email: "otto@example.org" }, invitedAt: at, invitedBy: "x" },
    at,
  },
  "remove-observer": { type: "remove-observer", observerId: "o9", at },
  attach: {
    type: "attach",
    attachment: { id: "a1", filename: "a.txt", contentType: "text/plain", sizeBytes: 1, sha256: "00" },
    at,
  },
  detach: { type: "detach", attachmentId: "a9", at },
  identify: { type: "identify", signatureId: "s1", step: { type: "begin" }, at },
  consent: { type: "consent", signatureId: "s1", consent: sampleConsent(), at },
  "take-turn": {
    type: "take-turn",
    signatureId: "s1",
    releaseId: "k1",
    consent: sampleConsent(),
    until: new Date(at.getTime() + 600_000),
    name: { name: "Ann Example", givenName: null, surname: null, by: "account", proof: null },
    provider: null,
    at,
  },
  vouch: {
    type: "vouch",
    signatureId: "s1",
    vouch: {
      givenName: "Ann",
      surname: "Example",
      mobileNumber: null,
      document: "passport",
      by: "bob@acme.example",
      at: at.toISOString(),
    },
    at,
  },
  "log-in": { type: "log-in", signatureId: "s1", releaseId: "k1", at },
  "offer-release": { type: "offer-release", signatureId: "s1", releaseId: "k1", certificateSha256: "00", at },
  release: { type: "release", signatureId: "s1", releaseId: "k1", factor: "passkey", binding: "00", at },
  "keep-values": { type: "keep-values", signatureId: "s1", releaseId: "k1", at },
  "end-turn": { type: "end-turn", signatureId: "s1", releaseId: "k1", by: "signer", at },
  mark: { type: "mark", signatureId: "s1", documentId: "d1", onto: "d1", versionId: "v1", at },
  decline: { type: "decline", signatureId: "s1", reason: null, at },
  fail: { type: "fail", signatureId: "s1", at },
  expire: { type: "expire", at },
  withdraw: { type: "withdraw", message: "Not now.", at },
  remind: { type: "remind", signatureIds: null, at },
  open: { type: "open", signatureId: "s1", at },
  renew: { type: "renew", documentId: "d1", onto: "d1", versionId: "v1", renewAt: null, at },
  wait: { type: "wait", signatureId: "s1", lack: "timestamp", at },
  "mail-bounced": { type: "mail-bounced", signatureId: "s1", problem: "There is no such mailbox.", at },
  "warn-of-expiry": { type: "warn-of-expiry", at },
}
const TYPES = Object.keys(EVENTS) as Event["type"][]
const IN_DRAFT: readonly Event["type"][] = [
  "start",
  "update",
  "add-signer",
  "add-group",
  "remove-signer",
  "replace-signers",
  "add-document",
  "remove-document",
  "add-observer",
  "remove-observer",
  "vouch",
  "attach",
  "detach",
]
const ONLY_IN_DRAFT: readonly Event["type"][] = ["start", "add-document", "remove-document"]

/** A request in each status there is, with two signers. */
const IN: Readonly<Record<Status, SignatureRequest>> = {
  DRAFT: sampleRequest([null, null]),
  OPEN: opened(),
  SIGNED: signed("s2", signed("s1", opened())),
  DECLINED: transition(opened(), EVENTS.decline).request,
  ERROR: transition(opened(), EVENTS.fail).request,
  EXPIRED: { ...opened(), lifecycle: "expired" },
  WITHDRAWN: transition(opened(), EVENTS.withdraw).request,
}

describe("[ST-07] what the status does not allow changes nothing:", () => {
  it.each(Object.entries(IN) as [Status, SignatureRequest][])("%s", (status, request) => {
    expect(statusOf(request)).toBe(status)
    const refused = TYPES.filter((type) => isRefusedForItsState(request, EVENTS[type]))
    const open = TYPES.filter((type) => type !== "renew" && !ONLY_IN_DRAFT.includes(type))
    const allowed: Partial<Record<Status, readonly Event["type"][]>> = {
      DRAFT: IN_DRAFT,
      OPEN: open,
      SIGNED: ["renew"],
    }
    const expected = allowed[status] ?? []
    // An expiry that is not due is refused for its state too.
    expect(refused.filter((type) => type !== "expire" || status !== "OPEN")).toEqual(
      TYPES.filter((type) => !expected.includes(type)),
    )
  })
})

describe("an end is told", () => {
  const follow = { creator: "cleo@example.org", ccEmailAddresses: ["cc@example.org", "S1@example.org"] }
  const observed = { ...opened(), ...follow, observers: [EVENTS["add-observer"].observer] }
  const [second] = observed.signatures.slice(1)
  const silent = { ...observed, signatures: [sampleOf("s1"), { ...sampleOf("s2"), notify: false }] }

  it("to everybody who was invited and everybody who follows, each address once", () => {
    const { effects } = transition(observed, EVENTS.withdraw)
    expect(effects[0]).toEqual({ type: "call-back", which: "error" })
    expect(told(effects)).toEqual([
      "withdrawn s1@example.org",
      "withdrawn s2@example.org",
      "withdrawn cleo@example.org",
      "withdrawn cc@example.org",
      "withdrawn otto@example.org",
    ])
  })

  it("never to somebody who is not to be notified, or was not written to yet", () => {
    expect(told(transition(silent, EVENTS.withdraw).effects)).not.toContain("withdrawn s2@example.org")
    const waiting = { ...observed, signatures: [sampleOf("s1"), { ...sampleOf("s2"), invitedAt: null }] }
    expect(told(transition(waiting, EVENTS.withdraw).effects)).not.toContain("withdrawn s2@example.org")
    expect(second?.invitedAt).not.toBeNull()
  })

  it("but a decline not to the one who declined, and an error to nobody", () => {
    expect(told(transition(observed, EVENTS.decline).effects)).not.toContain("declined s1@example.org")
    expect(told(transition(observed, EVENTS.decline).effects)).toContain("declined s2@example.org")
    expect(told(transition(observed, EVENTS.fail).effects)).toEqual([])
  })

  it("when it is deleted while OPEN, and not when it had ended before", () => {
    expect(told(removal(observed))).toContain("withdrawn s1@example.org")
    expect(removal(IN.SIGNED)).toEqual([])
    expect(removal(IN.DRAFT)).toEqual([])
  })

  it("when the one who was missing is removed: then it is completed, with its callback", () => {
    const { request, effects } = transition(signed("s2", observed), EVENTS["remove-signer"])
    expect(statusOf(request)).toBe("SIGNED")
    expect(effects[0]).toEqual({ type: "call-back", which: "success" })
    expect(told(effects)).toContain("completed s2@example.org")
  })
})

describe("[ST-06] expires_at", () => {
  const expiresAt = { date: "2026-11-02", passesAt: new Date(at.getTime() + 1000) }
  it("that has not passed ends nothing; from its moment on it does", () => {
    const request = { ...opened(), expiresAt }
    expect(isRefusedForItsState(request, { type: "expire", at })).toBe(true)
    const { request: after } = transition(request, { type: "expire", at: expiresAt.passesAt })
    expect(statusOf(after)).toBe("EXPIRED")
  })

  it("that has passed keeps signers from agreeing and declining, though no sweep has come yet; who agreed in time has", () => {
    const request = { ...opened(), expiresAt }
    expect(isRefusedForItsState(request, { ...EVENTS.decline, at: expiresAt.passesAt })).toBe(true)
    const late = { ...EVENTS.consent, at: expiresAt.passesAt }
    expect(isRefusedForItsState(request, late)).toBe(true)
    const { request: agreed } = transition(request, EVENTS.consent)
    expect(transition(agreed, late).request).toBe(agreed)
  })

  it("that has passed keeps a draft from being initiated", () => {
    const draft = { ...sampleRequest([null]), expiresAt }
    expect(isRefusedForItsState(draft, { type: "start", members: [], at: expiresAt.passesAt })).toBe(true)
    expect(statusOf(transition(draft, EVENTS.start).request)).toBe("OPEN")
  })

  it("is fixed once the request is OPEN", () => {
    expect(isRefusedForItsState(opened(), { type: "update", changes: { expiresAt: null }, at })).toBe(true)
  })

  it("comes near once: those who are missing are warned, and nobody else", () => {
    const request = { ...signed("s2", opened()), expiresAt, creator: "cleo@example.org" }
    const { request: warned, effects } = transition(request, EVENTS["warn-of-expiry"])
    expect(told(effects)).toEqual(["expiring-soon s1@example.org"])
    expect(transition(warned, EVENTS["warn-of-expiry"]).effects).toEqual([])
  })
})

describe("[SR-19] a reminder", () => {
  const inAnHour = new Date(at.getTime() + 3_600_000)
  it("goes to those whose turn it is, and to each once an hour", () => {
    const once = transition(opened(), EVENTS.remind)
    expect(once.effects).toEqual(["s1", "s2"].map((signatureId) => ({ type: "remind", signatureId })))
    const tooSoon = new Date(inAnHour.getTime() - 1)
    expect(() => transition(once.request, { ...EVENTS.remind, at: tooSoon })).toThrow(
      expect.objectContaining({ code: "reminder-limited", retryAfterSeconds: 1 }),
    )
    expect(transition(once.request, { ...EVENTS.remind, at: inAnHour }).effects).toHaveLength(2)
  })

  it("skips those who were reminded within the hour, as long as somebody is left", () => {
    const one = transition(opened(), { ...EVENTS.remind, signatureIds: ["s1"] })
    expect(transition(one.request, EVENTS.remind).effects).toEqual([{ type: "remind", signatureId: "s2" }])
  })

  it("of a request without signers reminds nobody, and that is no fault", () => {
    const nobody = transition(sampleRequest([]), EVENTS.start).request
    expect(transition(nobody, EVENTS.remind)).toEqual({ request: nobody, effects: [] })
  })
})

function opened(): SignatureRequest {
  return transition(sampleRequest([null, null]), { type: "start", members: [], at: SAMPLE_TIME }).request
}

function signed(signatureId: string, request: SignatureRequest): SignatureRequest {
  const consent = { type: "consent", signatureId, consent: sampleConsent(), at: SAMPLE_TIME } as const
  const onto = request.documents[0]?.newestId ?? ""
  const versionId = `v of ${signatureId}`
  return transition(transition(request, consent).request, {
    type: "mark",
    signatureId,
    documentId: "d1",
    onto,
    versionId,
    at: SAMPLE_TIME,
  }).request
}

function sampleOf(id: string) {
  const signature = opened().signatures.find((s) => s.id === id)
  if (signature === undefined) throw new Error(`There is no ${id}.`)
  return signature
}

function isRefusedForItsState(request: SignatureRequest, event: Event): boolean {
  const before = structuredClone(request)
  try {
    transition(request, event)
    return false
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(request).toEqual(before)
    return error.code === "request-not-open"
  }
}

const told = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((e) => (e.type === "tell" ? [`${e.letter} ${e.to.email}`] : []))
