import { describe, expect, it } from "vitest"
import type { Event } from "../signature-request/event.ts"
import { transition } from "../signature-request/machine.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import { journalOf, journalOfCreated, journalOfDocument, journalOfRemoved } from "./of-change.ts"

const at = new Date(SAMPLE_TIME.getTime() + 60_000)

/** What the journal tells of an event, with whom it is about; and the request afterwards. */
function told(request: SignatureRequest, event: Event): readonly [SignatureRequest, readonly string[]] {
  const after = transition(request, event).request
  const entries = journalOf(event, request, after)
  return [
    after,
    entries.map(({ type, signatureId, status }) => [type, signatureId, status].filter(Boolean).join(" ")),
  ]
}

const started = (places: readonly (number | null)[], more: Partial<SignatureRequest> = {}) =>
  transition(sampleRequest(places, more), { type: "start", members: [], at: SAMPLE_TIME }).request

const mark = (signatureId: string, onto: string, versionId: string): Event => ({
  type: "mark",
  signatureId,
  documentId: "d1",
  onto,
  versionId,
  at,
})
const agreed = (request: SignatureRequest, signatureId: string) =>
  transition(request, { type: "consent", signatureId, consent: sampleConsent(), at }).request

describe("the journal of a request", () => {
  it("tells of its start and of those who are invited by it", () => {
    const [, entries] = told(sampleRequest([1, 2]), { type: "start", members: [], at })
    expect(entries).toEqual(["signature_request.initiated OPEN", "signature.invited s1 OPEN"])
  })

  it("tells of a signature, of those who are invited next, and of the end", () => {
    const [first, entries] = told(agreed(started([1, 2]), "s1"), mark("s1", "d1", "d1-1"))
    expect(entries).toEqual(["signature.signed s1 OPEN", "signature.invited s2 OPEN"])
    const [, last] = told(agreed(first, "s2"), mark("s2", "d1-1", "d1-2"))
    expect(last).toEqual(["signature.signed s2 SIGNED", "signature_request.signed SIGNED"])
  })

  it.each([
    [
      "decline",
      { type: "decline", signatureId: "s1", reason: null, at },
      ["signature.declined s1 DECLINED", "signature_request.declined DECLINED"],
    ],
    ["fail", { type: "fail", signatureId: "s1", at }, ["signature_request.error ERROR"]],
    ["withdraw", { type: "withdraw", message: null, at }, ["signature_request.withdrawn WITHDRAWN"]],
    ["open", { type: "open", signatureId: "s1", at }, ["signature.opened s1 OPEN"]],
    ["consent", { type: "consent", signatureId: "s1", consent: sampleConsent(), at }, []],
    ["update", { type: "update", changes: { title: "Other" }, at }, ["signature_request.updated OPEN"]],
  ] as const)("tells of %s", (_, event, expected) => {
    expect(told(started([1, 2]), event as Event)[1]).toEqual(expected)
  })

  it("tells of each who was reminded, and of nobody else", () => {
    const later = new Date(at.getTime() + 2 * 3_600_000)
    const [, entries] = told(started([null, 1, 5]), { type: "remind", signatureIds: null, at: later })
    expect(entries).toEqual(["signature.reminded s1 OPEN", "signature.reminded s2 OPEN"])
  })

  it("names the newest version of the first document, and no person", () => {
    const request = agreed(started([1]), "s1")
    const after = transition(request, mark("s1", "d1", "d1-1")).request
    const [entry] = journalOf(mark("s1", "d1", "d1-1"), request, after)
    expect(entry).toMatchObject({ requestId: "r1", documentId: "d1-1", status: "SIGNED", kind: "demo" })
    expect(JSON.stringify({ ...entry, readers: [] })).not.toContain("example.org")
  })

  it("is for those who may read the request at that moment: owner, writers, readers and observers, each once", () => {
    const request = sampleRequest([1], {
      readAccess: ["reader", "acme-integration"],
      writeAccess: ["writer"],
      observers: [{ id: "o1", of: { type: "USER", email: "ob@example.org" }, invitedAt: at, invitedBy: "x" }],
    })
    for (const [entry] of [journalOfCreated(request), journalOfRemoved(request, at)])
      expect(entry?.readers).toEqual(["acme-integration", "writer", "reader", "ob@example.org"])
    expect(journalOfCreated(request)).toMatchObject([{ type: "signature_request.created", at: SAMPLE_TIME }])
    expect(journalOfRemoved(request, at)).toMatchObject([{ type: "signature_request.deleted", at }])
  })

  it("tells of a document to those who may read it", () => {
    const document = { id: "d1", kind: "demo", owner: "ann", readAccess: ["bob"], writeAccess: [] } as const
    expect(journalOfDocument("document.created", document, at)).toMatchObject([
      { type: "document.created", documentId: "d1", requestId: null, status: null, readers: ["ann", "bob"] },
    ])
  })
})
