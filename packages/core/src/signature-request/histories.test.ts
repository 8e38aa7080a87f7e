import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "../testing/sample.ts"
import type { Effect, Event } from "./event.ts"
import { transition } from "./machine.ts"
import { type Mark, type Signature, type SignatureRequest, statusOf } from "./model.ts"

// Whatever people and workers do, in whatever order: the machine agrees with a model that is written in other words, and
// what it refuses leaves no trace. The model knows parts 3.1 and 3.2 and nothing of how they are done.

type Person = {
  place: number | null
  state: "open" | "signed" | "declined" | "error"
  agreed: boolean
  left: Set<string>
}
type Model = {
  status: "DRAFT" | "OPEN" | "EXPIRED" | "WITHDRAWN"
  people: Map<string, Person>
  documents: string[]
  /** Told by callbacks, in order. */
  calls: string[]
}
type Real = {
  request: SignatureRequest
  number: number
  calls: string[]
  asked: string[]
  invited: string[]
  marks: string[]
}

const RUNS = { numRuns: 10_000, seed: Math.floor(Math.random() * 2 ** 31) }
const EXPIRES = { date: "2026-11-02", passesAt: new Date(SAMPLE_TIME.getTime() + 3_600_000) }
const seen = { statuses: new Set<string>(), taken: new Set<string>(), refused: new Set<string>() }

/** Part 3.2, from the people alone. */
function statusOfModel({ status, people }: Model): string {
  if (status !== "OPEN") return status
  const states = [...people.values()].map((p) => p.state)
  if (states.includes("declined")) return "DECLINED"
  if (states.includes("error")) return "ERROR"
  return states.length > 0 && states.every((state) => state === "signed") ? "SIGNED" : "OPEN"
}

/** Part 2.2: smallest first; without a number at any time. */
function mayAct(model: Model, id: string): boolean {
  const person = model.people.get(id)
  if (person === undefined || person.state !== "open") return false
  const waiting = [...model.people.values()].filter((p) => p.state === "open")
  return person.place === null || waiting.every((p) => p.place === null || p.place >= (person.place ?? 0))
}

/** One thing that somebody tries. `change` says what it means where it is legal, and null where it is not. */
type Attempt = {
  readonly name: string
  readonly event: (real: Real, at: Date) => Event
  readonly change: (model: Model, real: Real) => (() => void) | null
}

class Try implements fc.Command<Model, Real> {
  readonly attempt: Attempt
  constructor(attempt: Attempt) {
    this.attempt = attempt
  }
  check = () => true
  toString = () => this.attempt.name
  run(model: Model, real: Real): void {
    real.number += 1
    // A step that changed the request before it would throw.
    const before = frozen(real.request)
    const event = this.attempt.event(real, new Date(SAMPLE_TIME.getTime() + real.number * 1000))
    const legal = this.attempt.change(model, real)
    const step = tried(before, event)
    expect(step !== null, `${event.type} in ${statusOf(before)}`).toBe(legal !== null)
    if (step === null || legal === null) return void seen.refused.add(event.type)
    seen.taken.add(event.type)
    const was = statusOfModel(model)
    legal()
    real.request = step.request
    follow(real, step.effects)
    const is = statusOfModel(model)
    if (was === "OPEN" && is !== "OPEN") model.calls.push(is === "SIGNED" ? "success" : "error")
    seen.statuses.add(is)
    holds(model, real)
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) frozen(part)
  return value
}

function tried(request: SignatureRequest, event: Event) {
  try {
    return transition(request, event)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}

function follow(real: Real, effects: readonly Effect[]): void {
  for (const effect of effects) {
    if (effect.type === "call-back") real.calls.push(effect.which)
    if (effect.type === "invite") real.invited.push(effect.signatureId)
    if (effect.type === "sign") real.asked.push(`${effect.signatureId} ${effect.documentId}`)
  }
}

function holds(model: Model, { request, calls, invited, asked, marks }: Real): void {
  expect(statusOf(request)).toBe(statusOfModel(model))
  expect(calls).toEqual(model.calls)
  expect(request.signatures.map((s) => [s.id, s.state])).toEqual(
    [...model.people].map(([id, p]) => [id, p.state]),
  )
  // Nobody is invited twice, or asked for a mark twice; whoever may act now has been invited.
  expect(new Set(invited).size).toBe(invited.length)
  expect(new Set(asked).size).toBe(asked.length)
  if (statusOf(request) === "OPEN")
    for (const id of model.people.keys()) if (mayAct(model, id)) expect(invited).toContain(id)
  // The versions of a document are one line: its newest is the mark that was made last.
  const made = new Set(request.signatures.flatMap((s) => s.marks.flatMap((m) => m.versionId ?? [])))
  for (const { id, newestId } of request.documents)
    expect(newestId).toBe(marks.filter((mark) => mark.startsWith(`${id} `)).at(-1) ?? id)
  expect([...made].sort()).toEqual([...marks].sort())
}

const alive = (model: Model) => statusOfModel(model) === "DRAFT" || statusOfModel(model) === "OPEN"
const isOpen = (model: Model) => statusOfModel(model) === "OPEN"
const nth = (real: Real, n: number) =>
  real.request.signatures[n % Math.max(1, real.request.signatures.length)]?.id ?? "nobody"
const wanted = (documents: readonly string[]): readonly Mark[] =>
  documents.map((documentId) => ({ documentId, versionId: null, visual: null }))

function newPerson(real: Real, place: number | null): Signature {
  const [sample] = sampleRequest([place]).signatures
  if (sample === undefined) throw new Error("The sample has no signer.")
  return { ...sample, id: `added${real.number}`, marks: wanted(real.request.documents.map((d) => d.id)) }
}

const person = (model: Model, place: number | null): Person => ({
  place,
  state: "open",
  agreed: false,
  left: new Set(model.documents),
})

const untouched = (model: Model) => [...model.people.values()].every((p) => p.state === "open" && !p.agreed)

const ATTEMPTS: Readonly<Record<string, (n: number, place: number | null) => Attempt>> = {
  start: () => ({
    name: "start",
    event: (_, at) => ({ type: "start", members: [], at }),
    change: (model) =>
      model.status === "DRAFT" ? () => void Object.assign(model, { status: "OPEN" }) : null,
  }),
  add: (_, place) => ({
    name: `add a signer at ${place}`,
    event: (real, at) => ({ type: "add-signer", signature: newPerson(real, place), at }),
    change: (model, real) =>
      alive(model) ? () => void model.people.set(`added${real.number}`, person(model, place)) : null,
  }),
  remove: (n) => ({
    name: `remove signer ${n}`,
    event: (real, at) => ({ type: "remove-signer", signatureId: nth(real, n), at }),
    change: (model, real) => {
      const id = nth(real, n)
      const one = model.people.get(id)
      return alive(model) && one?.state === "open" && !one.agreed ? () => void model.people.delete(id) : null
    },
  }),
  replace: (_, place) => ({
    name: `replace all signers by one at ${place}`,
    event: (real, at) => ({
      type: "replace-signers",
      signatures: [newPerson(real, place)],
      groups: [],
      members: [],
      at,
    }),
    change: (model, real) =>
      alive(model) && untouched(model)
        ? () =>
            void Object.assign(model, { people: new Map([[`added${real.number}`, person(model, place)]]) })
        : null,
  }),
  consent: (n) => ({
    name: `signer ${n} agrees`,
    event: (real, at) => ({ type: "consent", signatureId: nth(real, n), consent: sampleConsent(at), at }),
    change: (model, real) => {
      const id = nth(real, n)
      const one = model.people.get(id)
      return isOpen(model) && one !== undefined && mayAct(model, id)
        ? () => void Object.assign(one, { agreed: true })
        : null
    },
  }),
  mark: (n) => mark(n, false),
  "late mark": (n) => mark(n, true),
  decline: (n) => ({
    name: `signer ${n} declines`,
    event: (real, at) => ({ type: "decline", signatureId: nth(real, n), reason: null, at }),
    change: (model, real) => {
      const one = model.people.get(nth(real, n))
      return isOpen(model) && one !== undefined && mayAct(model, nth(real, n)) && !one.agreed
        ? () => void Object.assign(one, { state: "declined" })
        : null
    },
  }),
  fail: (n) => ({
    name: `the signature of ${n} fails`,
    event: (real, at) => ({ type: "fail", signatureId: nth(real, n), at }),
    change: (model, real) => {
      const one = model.people.get(nth(real, n))
      return isOpen(model) && one?.state === "open" ? () => void Object.assign(one, { state: "error" }) : null
    },
  }),
  expire: (n) => ({
    name: n % 2 === 0 ? "its date passes" : "somebody thinks that its date has passed",
    event: (real, at) => ({
      type: "expire",
      at: n % 2 === 0 ? (real.request.expiresAt?.passesAt ?? at) : at,
    }),
    change: (model) =>
      isOpen(model) && n % 2 === 0 ? () => void Object.assign(model, { status: "EXPIRED" }) : null,
  }),
  withdraw: () => ({
    name: "withdraw",
    event: (_, at) => ({ type: "withdraw", message: null, at }),
    change: (model) => (isOpen(model) ? () => void Object.assign(model, { status: "WITHDRAWN" }) : null),
  }),
  update: () => ({
    name: "update",
    event: (_, at) => ({ type: "update", changes: { title: "Another" }, at }),
    change: (model) => (alive(model) ? () => undefined : null),
  }),
  "add a document": () => ({
    name: "add a document",
    event: (real, at) => {
      const id = `d${real.number + 10}`
      return { type: "add-document", document: { id, newestId: id, name: "More" }, at }
    },
    change: (model, real) =>
      model.status === "DRAFT"
        ? () => {
            model.documents.push(`d${real.number + 10}`)
            for (const one of model.people.values()) one.left.add(`d${real.number + 10}`)
          }
        : null,
  }),
  "remove a document": (n) => ({
    name: `remove document ${n}`,
    event: (real, at) => ({ type: "remove-document", documentId: documentOf(real, n), at }),
    change: (model, real) =>
      model.status === "DRAFT" && model.documents.length > 1
        ? () => {
            const id = documentOf(real, n)
            model.documents = model.documents.filter((one) => one !== id)
            for (const one of model.people.values()) one.left.delete(id)
          }
        : null,
  }),
}

const documentOf = (real: Real, n: number) =>
  real.request.documents[n % real.request.documents.length]?.id ?? ""

/** A worker makes a mark on the newest version; a late one on the upload, when somebody was faster. */
function mark(n: number, late: boolean): Attempt {
  const aim = ({ request }: Real) =>
    request.documents[n % request.documents.length] ?? { id: "", newestId: "" }
  return {
    name: `${late ? "late " : ""}mark of signer ${n}`,
    event: (real, at) => {
      const { id, newestId } = aim(real)
      const onto = late ? id : newestId
      return {
        type: "mark",
        signatureId: nth(real, n),
        documentId: id,
        onto,
        versionId: `${id} v${real.number}`,
        at,
      }
    },
    change: (model, real) => {
      const { id, newestId } = aim(real)
      const one = model.people.get(nth(real, n))
      if (!isOpen(model) || one === undefined || one.state !== "open" || !one.agreed || !one.left.has(id))
        return null
      if (late && newestId !== id) return null
      return () => {
        real.marks.push(`${id} v${real.number}`)
        one.left.delete(id)
        if (one.left.size > 0) return
        one.state = "signed"
        if (statusOfModel(model) === "OPEN") model.calls.push("update")
      }
    },
  }
}

const command = fc
  .tuple(
    // People mostly go on; what ends a history is rare, and so is what belongs to a draft once it is over.
    fc.oneof(
      { weight: 30, arbitrary: fc.constant("consent") },
      { weight: 45, arbitrary: fc.constant("mark") },
      { weight: 6, arbitrary: fc.constant("start") },
      { weight: 20, arbitrary: fc.constantFrom(...Object.keys(ATTEMPTS)) },
    ),
    fc.nat(5),
    fc.option(fc.integer({ min: 1, max: 3 })),
  )
  .map(([name, n, place]) => new Try((ATTEMPTS[name] ?? fault(name))(n, place)))

const fault = (name: string): never => {
  throw new Error(`There is no ${name}.`)
}

const beginning = fc.record({
  places: fc.array(fc.option(fc.integer({ min: 1, max: 3 })), { maxLength: 4 }),
  documentCount: fc.integer({ min: 1, max: 3 }),
  inviting: fc.constantFrom("in-order" as const, "all-at-once" as const),
})

describe("over random histories", () => {
  it(`[ST-08] the machine does what parts 3.1 and 3.2 say (${RUNS.numRuns} runs, seed ${RUNS.seed})`, {
    timeout: 120_000,
  }, () => {
    const commands = fc.commands([command], { maxCommands: 40, size: "max" })
    fc.assert(
      fc.property(beginning, commands, ({ places, ...more }, list) => {
        fc.modelRun(() => {
          const request = sampleRequest(places, { ...more, expiresAt: EXPIRES })
          const documents = request.documents.map((d) => d.id)
          const people = new Map(
            request.signatures.map((s) => [
              s.id,
              { place: s.place, state: "open" as const, agreed: false, left: new Set(documents) },
            ]),
          )
          const model: Model = { status: "DRAFT", people, documents, calls: [] }
          return { model, real: { request, number: 0, calls: [], asked: [], invited: [], marks: [] } }
        }, list)
      }),
      RUNS,
    )
  })

  it("every status is reached, and everything is both taken and refused", () => {
    expect([...seen.statuses].sort()).toEqual([
      "DECLINED",
      "DRAFT",
      "ERROR",
      "EXPIRED",
      "OPEN",
      "SIGNED",
      "WITHDRAWN",
    ])
    const tries = [
      "add-document",
      "add-signer",
      "consent",
      "decline",
      "expire",
      "fail",
      "mark",
      "remove-document",
    ]
    const all = [...tries, "remove-signer", "replace-signers", "start", "update", "withdraw"]
    expect([...seen.taken].sort()).toEqual(all)
    expect([...seen.refused].sort()).toEqual(all)
  })
})
