import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { ATTEMPTS, type Attempt, type Model, mayAct, type Real, statusOfModel } from "../testing/histories.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import type { Effect, Event } from "./event.ts"
import { transition } from "./machine.ts"
import { type SignatureRequest, statusOf } from "./model.ts"

// Whatever people and workers do, in whatever order: the machine agrees with a model that is written in other words, and
// what it refuses leaves no trace. The model knows parts 3.1 and 3.2 and nothing of how they are done.
// biome-ignore lint/style/noProcessEnv: `npm run simulate:histories` has twenty thousand of them.
const HISTORIES = Number(process.env.PARAPH_HISTORIES ?? 10_000)
const RUNS = { numRuns: HISTORIES, seed: Math.floor(Math.random() * 2 ** 31) }
const EXPIRES = { date: "2026-11-02", passesAt: new Date(SAMPLE_TIME.getTime() + 3_600_000) }
const seen = { statuses: new Set<string>(), taken: new Set<string>(), refused: new Set<string>() }

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
          const model: Model = { status: "DRAFT", people, groups: new Map(), documents, calls: [] }
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
      "add-group",
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
