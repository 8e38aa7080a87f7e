import { describe, expect, it } from "vitest"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import type { Effect, Event, Step } from "./event.ts"
import * as machine from "./machine.ts"
import { type SignatureRequest, statusOf } from "./model.ts"
import { turn } from "./turn.ts"

describe("start", () => {
  it("makes a draft OPEN", () => {
    const { request } = start(sampleRequest([null]))
    expect(statusOf(sampleRequest([null]))).toBe("DRAFT")
    expect(statusOf(request)).toBe("OPEN")
    expect(request.updatedAt).toEqual(later(0))
  })

  it("invites the first place alone when people sign in order", () => {
    expect(start(sampleRequest([2, 1, 3])).effects).toEqual([invite("s2")])
  })

  it("invites everyone when all are invited at once", () => {
    const { effects } = start(sampleRequest([2, 1, null], { inviting: "all-at-once" }))
    expect(effects).toEqual([invite("s1"), invite("s2"), invite("s3")])
  })

  it("invites everyone of an equal place, as one step", () => {
    expect(start(sampleRequest([1, 1, 2])).effects).toEqual([invite("s1"), invite("s2")])
  })

  it("invites those without a place beside the first place", () => {
    expect(start(sampleRequest([2, null, 1])).effects).toEqual([invite("s2"), invite("s3")])
  })

  it("leaves a request without signers OPEN and waiting, and writes to nobody", () => {
    const { request, effects } = start(sampleRequest([]))
    expect(statusOf(request)).toBe("OPEN")
    expect(effects).toEqual([])
  })

  it("is refused for a request that has started", () => {
    expect(refusalOf(start(sampleRequest([1])).request, { type: "start", members: [], at: later(1) })).toBe(
      "request-not-open",
    )
  })
})

describe("consent", () => {
  it("asks for one mark per document", () => {
    const { request, effects } = transition(open([null], { documentCount: 2 }), consent("s1"))
    expect(effects).toEqual([sign("s1", "d1"), sign("s1", "d2")])
    expect(request.signatures[0]).toMatchObject({ state: "open", consent: { name: "Ann Example" } })
    expect(statusOf(request)).toBe("OPEN")
  })

  it("given twice changes nothing: the very same request comes back, and nothing follows", () => {
    const once = transition(open([null]), consent("s1")).request
    const twice = transition(once, consent("s1", later(9)))
    expect(twice.request).toBe(once)
    expect(twice.effects).toEqual([])
  })

  it("out of turn is refused", () => {
    expect(refusalOf(open([1, 2]), consent("s2"))).toBe("not-your-turn")
  })

  it("of somebody who is no signer is refused", () => {
    expect(refusalOf(open([1]), consent("s9"))).toBe("not-found")
  })

  it("of somebody who has signed already is refused", () => {
    const request = signedBy(open([null, null]), "s1")
    expect(refusalOf(request, consent("s1"))).toBe("signature-not-open")
  })
})

describe("a look", () => {
  const look = (signatureId: string) => ({ type: "open", signatureId, way: "link", at: later(9) }) as const

  it("of whoever is to sign is seen by the sender", () => {
    const { request } = transition(open([null]), look("s1"))
    expect(request.signatures[0]?.lastViewedAt).toEqual(later(9))
  })

  it("at what one has signed changes nothing, and is refused once the request is withdrawn", () => {
    const request = signedBy(open([null, null]), "s1")
    expect(transition(request, look("s1"))).toEqual({ request, effects: [] })
    const withdrawn = { ...request, lifecycle: "withdrawn" } as const
    expect(refusalOf(withdrawn, look("s1"))).toBe("request-not-open")
  })
})

describe("a mark", () => {
  it("of one of several signers leaves the request OPEN and calls back the update", () => {
    const { request, effects } = markStep(agreed(open([null, null]), "s1"), "s1")
    expect(statusOf(request)).toBe("OPEN")
    expect(effects).toEqual([callBack("update")])
    expect(request.signatures[0]).toMatchObject({ state: "signed", signedAt: later(2) })
  })

  it("of the last signer makes the request SIGNED and calls back the success, not the update", () => {
    const { request, effects } = markStep(agreed(signedBy(open([1, 2]), "s1"), "s2"), "s2")
    expect(statusOf(request)).toBe("SIGNED")
    expect(effects).toEqual([callBack("success")])
  })

  it("makes the new version the newest of its document, while the uploaded id stays", () => {
    const { request } = markStep(agreed(open([null]), "s1"), "s1")
    expect(request.documents).toEqual([{ id: "d1", newestId: "d1 by s1", name: "Contract", renewAt: null }])
    expect(request.signatures[0]?.marks).toEqual([{ documentId: "d1", versionId: "d1 by s1", visual: null }])
  })

  it("invites the next place when people sign in order", () => {
    const { effects } = markStep(agreed(open([1, 2, 2, 3]), "s1"), "s1")
    expect(effects).toEqual([callBack("update"), invite("s2"), invite("s3")])
  })

  it("[SR-18] tells the next one that it is their turn when all were invited at the start", () => {
    const request = open([1, 2], { inviting: "all-at-once" })
    expect(markStep(agreed(request, "s1"), "s1").effects).toEqual([callBack("update"), yourTurn("s2")])
  })

  it("of the first of an equal place waits for the second before the next place is invited", () => {
    const first = markStep(agreed(open([1, 1, 2]), "s2"), "s2")
    expect(first.effects).toEqual([callBack("update")])
    expect(turn(first.request).map((s) => s.id)).toEqual(["s1"])
    expect(markStep(agreed(first.request, "s1"), "s1").effects).toEqual([callBack("update"), invite("s3")])
  })

  it("of somebody without a place does not move the turn of the others", () => {
    const { request, effects } = markStep(agreed(open([1, 2, null]), "s3"), "s3")
    expect(effects).toEqual([callBack("update")])
    expect(turn(request).map((s) => s.id)).toEqual(["s1"])
  })

  it("on one of two documents signs nothing yet, and calls nobody", () => {
    const step = markStep(agreed(open([1, 2], { documentCount: 2 }), "s1"), "s1", "d2")
    expect(step.effects).toEqual([])
    expect(step.request.signatures[0]).toMatchObject({ state: "open", signedAt: null })
    expect(turn(step.request).map((s) => s.id)).toEqual(["s1"])

    const whole = markStep(step.request, "s1", "d1")
    expect(whole.effects).toEqual([callBack("update"), invite("s2")])
    expect(whole.request.signatures[0]?.state).toBe("signed")
  })

  it("onto an older version is refused, because somebody signed in the meantime", () => {
    const both = agreed(agreed(open([null, null]), "s1"), "s2")
    const after = markStep(both, "s1").request
    expect(refusalOf(after, mark("s2", "d1", "d1"))).toBe("document-moved-on")
    const { request } = transition(after, mark("s2", "d1", "d1 by s1"))
    expect(statusOf(request)).toBe("SIGNED")
  })

  it("without consent is refused", () => {
    expect(refusalOf(open([null]), mark("s1", "d1", "d1"))).toBe("signature-not-open")
  })

  it("that was made already is refused, also on the newest version", () => {
    const request = markStep(agreed(open([null], { documentCount: 2 }), "s1"), "s1", "d1").request
    expect(refusalOf(request, mark("s1", "d1", "d1 by s1"))).toBe("signature-not-open")
  })

  it("on a document that is not of the request is refused", () => {
    expect(refusalOf(agreed(open([null]), "s1"), mark("s1", "d9", "d9"))).toBe("signature-not-open")
  })
})

describe("an added signer", () => {
  const added = (place: number | null): Event => {
    const [signature] = sampleRequest([place]).signatures
    if (signature === undefined) throw new Error("The sample has no signer.")
    return { type: "add-signer", signature: { ...signature, id: "new" }, at: later(2) }
  }

  it("is invited at once, also when their turn comes later", () => {
    const { request, effects } = transition(open([1]), added(2))
    expect(effects).toEqual([invite("new")])
    expect(request.signatures.map((s) => s.id)).toEqual(["s1", "new"])
    expect(turn(request).map((s) => s.id)).toEqual(["s1"])
  })

  it("is written to a second time when that turn comes", () => {
    const { request } = transition(open([1]), added(2))
    expect(markStep(agreed(request, "s1"), "s1").effects).toEqual([callBack("update"), yourTurn("new")])
  })

  it("brings a request without signers to life", () => {
    const request = transition(open([]), added(null)).request
    expect(statusOf(signedBy(request, "new"))).toBe("SIGNED")
  })

  it("with a lower place comes first; who waits meanwhile may not agree", () => {
    const { request } = transition(open([2]), added(1))
    expect(refusalOf(request, consent("s1"))).toBe("not-your-turn")
    expect(markStep(agreed(request, "new"), "new").effects).toEqual([callBack("update"), yourTurn("s1")])
  })

  it("with a lower place does not undo what somebody agreed to before", () => {
    const { request } = transition(agreed(open([2]), "s1"), added(1))
    const step = markStep(request, "s1")
    expect(step.request.signatures[0]?.state).toBe("signed")
    expect(step.effects).toEqual([callBack("update")])
  })
})

describe("a decline", () => {
  it("makes the request DECLINED, keeps the reason, and calls back the error", () => {
    const { request, effects } = transition(open([null, null]), decline("s1"))
    expect(statusOf(request)).toBe("DECLINED")
    expect(request.signatures[0]).toMatchObject({ state: "declined", declineReason: "Not what we agreed." })
    expect(request.signatures[1]?.state).toBe("open")
    expect(effects).toEqual([callBack("error")])
  })

  it("out of turn is refused", () => {
    expect(refusalOf(open([1, 2]), decline("s2"))).toBe("not-your-turn")
  })

  it("after consent is refused, since the signature is being made", () => {
    expect(refusalOf(agreed(open([null]), "s1"), decline("s1"))).toBe("signature-not-open")
  })

  it("keeps the marks that others made", () => {
    const { request } = transition(signedBy(open([null, null]), "s1"), decline("s2"))
    expect(request.signatures[0]?.marks).toEqual([{ documentId: "d1", versionId: "d1 by s1", visual: null }])
    expect(request.documents[0]?.newestId).toBe("d1 by s1")
  })
})

describe("a failure", () => {
  it("makes the request ERROR and calls back the error", () => {
    const { request, effects } = transition(agreed(open([null, null]), "s1"), fail("s1"))
    expect(statusOf(request)).toBe("ERROR")
    expect(request.signatures.map((s) => s.state)).toEqual(["error", "open"])
    expect(effects).toEqual([callBack("error")])
  })
})

describe("a request that has ended", () => {
  const ended: Readonly<Record<string, SignatureRequest>> = {
    SIGNED: signedBy(signedBy(open([null, null]), "s1"), "s2"),
    DECLINED: transition(open([null, null]), decline("s2")).request,
    ERROR: transition(open([null, null]), fail("s2")).request,
    EXPIRED: { ...open([null, null]), lifecycle: "expired" },
    WITHDRAWN: { ...open([null, null]), lifecycle: "withdrawn" },
  }

  it.each(Object.entries(ended))("%s refuses everything", (status, request) => {
    expect(statusOf(request)).toBe(status)
    for (const event of everyEvent("s1", request.documents[0]?.newestId ?? ""))
      expect(refusalOf(request, event), event.type).toBe("request-not-open")
  })
})

it("a step changes a copy: the request before it stays as it was", () => {
  const before = agreed(open([1, 2], { documentCount: 2 }), "s1")
  const copy = structuredClone(before)
  for (const event of everyEvent("s1", "d1")) {
    try {
      transition(before, event)
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal)
    }
    expect(before, event.type).toEqual(copy)
  }
})

/** Who is written to at an end has tests of its own (endings.test.ts). */
function transition(request: SignatureRequest, event: Event): Step {
  const step = machine.transition(request, event)
  return { ...step, effects: step.effects.filter(({ type }) => type !== "tell") }
}

const later = (minutes: number): Date => new Date(SAMPLE_TIME.getTime() + minutes * 60_000)
const invite = (signatureId: string): Effect => ({ type: "invite", signatureId })
const yourTurn = (signatureId: string): Effect => ({ type: "your-turn", signatureId })
const sign = (signatureId: string, documentId: string): Effect => ({ type: "sign", signatureId, documentId })
const callBack = (which: "success" | "update" | "error"): Effect => ({ type: "call-back", which })

const start = (request: SignatureRequest): Step =>
  transition(request, { type: "start", members: [], at: later(0) })

function open(...[places, more]: Parameters<typeof sampleRequest>): SignatureRequest {
  return start(sampleRequest(places, more)).request
}

function consent(signatureId: string, at = later(1)): Event {
  return { type: "consent", signatureId, consent: sampleConsent(at), at }
}

function mark(signatureId: string, documentId: string, onto: string): Event {
  return {
    type: "mark",
    signatureId,
    documentId,
    onto,
    versionId: `${documentId} by ${signatureId}`,
    at: later(2),
  }
}

function decline(signatureId: string): Event {
  return { type: "decline", signatureId, reason: "Not what we agreed.", at: later(3) }
}

function fail(signatureId: string): Event {
  return { type: "fail", signatureId, at: later(4) }
}

function everyEvent(signatureId: string, onto: string): readonly Event[] {
  const [entry] = sampleRequest([null]).signatures
  if (entry === undefined) throw new Error("The sample has no signer.")
  return [
    { type: "start", members: [], at: later(5) },
    { type: "add-signer", signature: { ...entry, id: "new" }, at: later(5) },
    consent(signatureId),
    mark(signatureId, "d1", onto),
    decline(signatureId),
    fail(signatureId),
  ]
}

function agreed(request: SignatureRequest, signatureId: string): SignatureRequest {
  return transition(request, consent(signatureId)).request
}

/** Marks one document onto its newest version. */
function markStep(request: SignatureRequest, signatureId: string, documentId = "d1"): Step {
  const onto = request.documents.find((d) => d.id === documentId)?.newestId ?? ""
  return transition(request, mark(signatureId, documentId, onto))
}

function signedBy(request: SignatureRequest, signatureId: string): SignatureRequest {
  return markStep(agreed(request, signatureId), signatureId).request
}

function refusalOf(request: SignatureRequest, event: Event): RefusalCode | null {
  try {
    transition(request, event)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
