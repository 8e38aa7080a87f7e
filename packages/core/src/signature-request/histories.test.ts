import fc from "fast-check"
import { expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import { type Effect, type Event, transition, turn } from "./machine.ts"
import { type SignatureRequest, statusOf } from "./model.ts"

// Whatever people and workers do, in whatever order, these hold. An act that the machine refuses is part of a
// history too: it must leave no trace.
type Moment = { readonly before: SignatureRequest; readonly after: SignatureRequest; readonly event: Event }
type History = {
  readonly moments: readonly Moment[]
  readonly effects: readonly Effect[]
  readonly first: SignatureRequest
  readonly last: SignatureRequest
}

const INVARIANTS: Readonly<Record<string, (history: History) => boolean>> = {
  "the status is always the one that the signatures and the lifecycle say": ({ moments }) =>
    moments.every(({ after }) => statusOf(after) === statusBySignatures(after)),

  "an ended request is never changed again": ({ moments }) =>
    moments.every(({ before }) => ["DRAFT", "OPEN"].includes(statusOf(before))),

  "a mark that was made is never lost or changed": ({ moments }) =>
    moments.every(({ before, after }) => madeMarks(before).every((made) => madeMarks(after).includes(made))),

  "the versions of a document are one line: each mark was made on the newest": ({ moments, first, last }) =>
    first.documents.every(({ id }) => {
      const marks = moments.flatMap(({ event }) => (event.type === "mark" ? [event] : []))
      const line = marks.filter((m) => m.documentId === id)
      // The first stands on the upload, each other one on the one before it.
      const linear = line.every((m, index) => m.onto === (line[index - 1]?.versionId ?? id))
      return linear && newest(last, id) === (line.at(-1)?.versionId ?? id)
    }),

  "everyone who has had a turn was invited, and once, unless somebody was added": (history) => {
    const { effects, moments, last } = history
    const invited = effects.flatMap((e) => (e.type === "invite" ? [e.signatureId] : []))
    const added = moments.flatMap(({ event }) => (event.type === "add-signer" ? [event.signature.id] : []))
    const everyone = last.signatures.map((s) => s.id)
    if (last.inviting === "all-at-once") return sameBag(invited, everyone)
    const due = everyone.filter((id) => hadATurn(moments, id))
    if (added.length === 0) return sameBag(invited, due)
    // Who is added reads at once when the turn comes; so does, once more, whom somebody was put in front of.
    const times = (id: string) => invited.filter((one) => one === id).length
    return [...due, ...added].every((id) => times(id) >= 1 && times(id) <= 1 + added.length)
  },

  "one success or error ends the callbacks, and an update tells of every other signature": (history) => {
    const calls = history.effects.flatMap((e) => (e.type === "call-back" ? [e.which] : []))
    const status = statusOf(history.last)
    const signed = history.last.signatures.filter((s) => s.state === "signed").length
    const updates = Array<string>(status === "SIGNED" ? signed - 1 : signed).fill("update")
    const ending = status === "OPEN" ? [] : [status === "SIGNED" ? "success" : "error"]
    return calls.join() === [...updates, ...ending].join()
  },

  "a document is asked to be signed once per signer who agreed, however often they press": (history) => {
    const asked = history.effects.flatMap((e) =>
      e.type === "sign" ? [`${e.signatureId} ${e.documentId}`] : [],
    )
    const agreed = history.last.signatures.filter((s) => s.consent !== null)
    return sameBag(
      asked,
      agreed.flatMap((s) => s.marks.map((m) => `${s.id} ${m.documentId}`)),
    )
  },
}

const RUNS = { numRuns: 2000, seed: Math.floor(Math.random() * 2 ** 31) }

it.each(Object.entries(INVARIANTS))("%s", (sentence, holds) => {
  if (histories().every(holds)) return
  // The same histories once more, to find the shortest that breaks it.
  fc.assert(
    fc.property(setting, (chosen) => holds(live(chosen))),
    RUNS,
  )
  throw new Error(`Broken, with seed ${RUNS.seed}: ${sentence}.`)
})

it("the histories reach every end there is, by every kind of event", () => {
  const ends = new Set(histories().map(({ last }) => statusOf(last)))
  expect([...ends].sort()).toEqual(["DECLINED", "ERROR", "OPEN", "SIGNED"])
  const taken = new Set(histories().flatMap(({ moments }) => moments.map(({ event }) => event.type)))
  expect([...taken].sort()).toEqual(["add-signer", "consent", "decline", "fail", "mark", "start"])
})

/** An act aims at a signer and a document by number; `stale` marks an older version, as a slow worker would. */
type Act = {
  readonly type: "add-signer" | "consent" | "mark" | "decline" | "fail"
  readonly signer: number
  readonly document: number
  readonly stale: boolean
}

const act: fc.Arbitrary<Act> = fc.record({
  // People mostly go on; declines and failures end a history, so they are rare.
  type: fc.oneof(
    { weight: 40, arbitrary: fc.constant("consent" as const) },
    { weight: 60, arbitrary: fc.constant("mark" as const) },
    { weight: 1, arbitrary: fc.constant("add-signer" as const) },
    { weight: 2, arbitrary: fc.constant("decline" as const) },
    { weight: 1, arbitrary: fc.constant("fail" as const) },
  ),
  signer: fc.nat(3),
  document: fc.nat(2),
  stale: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

const setting = fc.record({
  places: fc.array(fc.option(fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 4 }),
  documentCount: fc.integer({ min: 1, max: 3 }),
  inviting: fc.constantFrom("in-order" as const, "all-at-once" as const),
  acts: fc.array(act, { maxLength: 40, size: "max" }),
})

type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never

let lived: readonly History[] | undefined

function histories(): readonly History[] {
  lived ??= fc.sample(setting, RUNS).map(live)
  return lived
}

function live({ places, documentCount, inviting, acts }: Setting): History {
  const first = sampleRequest(places, { documentCount, inviting })
  const moments: Moment[] = []
  const effects: Effect[] = []
  let now = first
  const take = (event: Event) => {
    try {
      const step = transition(now, event)
      effects.push(...step.effects)
      if (step.request === now) return
      moments.push({ before: now, after: step.request, event })
      now = step.request
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  take({ type: "start", at: SAMPLE_TIME })
  acts.forEach((wanted, number) => {
    const event = eventOf(now, wanted, number)
    if (event !== null) take(event)
  })
  return { moments, effects, first, last: now }
}

function eventOf(request: SignatureRequest, wanted: Act, number: number): Event | null {
  const signature = request.signatures[wanted.signer % request.signatures.length]
  const document = request.documents[wanted.document % request.documents.length]
  if (signature === undefined || document === undefined) return null
  const at = new Date(SAMPLE_TIME.getTime() + number * 1000)
  const signatureId = signature.id
  switch (wanted.type) {
    case "add-signer": {
      const marks = request.documents.map((d) => ({ documentId: d.id, versionId: null }))
      const fresh = { state: "open", consent: null, signedAt: null, marks } as const
      const place = wanted.stale ? null : wanted.signer + 1
      return { type: "add-signer", signature: { ...signature, ...fresh, id: `added${number}`, place }, at }
    }
    case "consent":
      return { type: "consent", signatureId, consent: sampleConsent(at), at }
    case "decline":
      return { type: "decline", signatureId, reason: null, at }
    case "fail":
      // A failure is of a signature that is being made; nothing else reports one.
      return signature.state === "open" ? { type: "fail", signatureId, at } : null
    case "mark": {
      const onto = wanted.stale ? document.id : document.newestId
      return { type: "mark", signatureId, documentId: document.id, onto, versionId: `v${number}`, at }
    }
  }
}

/** Part 3.2 in other words than the model's. */
function statusBySignatures({ lifecycle, signatures }: SignatureRequest): string {
  if (lifecycle === "draft") return "DRAFT"
  const count = (state: string) => signatures.filter((s) => s.state === state).length
  if (count("declined") > 0) return "DECLINED"
  if (count("error") > 0) return "ERROR"
  return count("signed") === signatures.length && signatures.length > 0 ? "SIGNED" : "OPEN"
}

const newest = (request: SignatureRequest, id: string) => request.documents.find((d) => d.id === id)?.newestId

const madeMarks = (request: SignatureRequest): readonly string[] =>
  request.signatures.flatMap((s) =>
    s.marks.flatMap((m) => (m.versionId === null ? [] : [`${s.id} ${m.documentId} ${m.versionId}`])),
  )

const hadATurn = (moments: readonly Moment[], id: string): boolean =>
  moments.some(({ after }) => statusOf(after) === "OPEN" && turn(after).some((s) => s.id === id))

const sameBag = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join()
