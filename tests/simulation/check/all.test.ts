import type { SignatureRequest } from "@paraph/core/signature-request/model"
import { describe, expect, it } from "vitest"
import { sha256 } from "../paper.ts"
import { simulate } from "../simulate.ts"
import type { World } from "../world.ts"
import { breachesOf } from "./all.ts"

// A run in which two people sign two documents, callbacks and events go out, and nothing is wrong. Then one thing is, and it is said.
const SEED = 259

const TAMPERED: readonly (readonly [string, string, (world: World) => void])[] = [
  ["I1", "was lost", (w) => change(w, (request) => ({ ...request, lifecycle: "draft" }))],
  ["I1", "agreed to was lost", (w) => changeSigner(w, { consent: null })],
  ["I2", "which was never made", ({ records }) => void records.made.splice(0)],
  [
    "I2",
    "by one key",
    ({ records }) => void records.made.push({ ...first(records.made), requestId: "other" }),
  ],
  ["I3", "marks of", (w) => changeSigner(w, { marks: [] })],
  ["I3", "what was not shown", (w) => rewrite(w, (text) => `other ${text}`)],
  ["I3", "was made on other bytes", (w) => rewrite(w, (text) => text.replace("upload", "UPLOAD"))],
  ["I3", "has the value of another", (w) => rewrite(w, (text) => text.replace(/(\w+)(\.\d+ )/, "0$2"))],
  ["I3", "has the time-stamp of another", (w) => rewrite(w, (text) => text.replace(/\w+@/, "0@"))],
  ["I3", "of nobody", (w) => rewrite(w, (text) => text.replaceAll("Paraph-", "Someone-"))],
  ["I3", "is not what was signed", ({ state }) => state.intents.clear()],
  ["I4", "is not what its row says", (w) => rewrite(w, (text) => `${text}.`)],
  ["I4", "does not continue", forge],
  ["I4", "were both made of", branch],
  [
    "I4",
    "is not behind",
    (w) => change(w, (r) => ({ ...r, documents: r.documents.map((d) => ({ ...d, newestId: d.id })) })),
  ],
  ["I6", "went from", reverse],
  ["I6", "had agreed and was removed", removeAll],
  ["I6", "is on record", ({ state }) => state.evidence.clear()],
  ["I6", "is on record", ({ state }) => state.journal.clear()],
  ["I7", "is owed", ({ state }) => void state.deliveries.delete(callback(state).id)],
  ["I7", "is owed to nobody", ({ state }) => state.deliveries.clear()],
  ["I7", "is still owed", ({ state }) => changeCall(state, { state: "OPEN" })],
  ["I7", "never arrived", ({ records }) => void records.receipts.splice(0)],
  ["I7", "was given up too early", ({ state }) => changeCall(state, { state: "RESIGNED" })],
  [
    "I7",
    "came before its commit",
    ({ records }) => void records.receipts.push({ ...first(records.receipts), isCommitted: false }),
  ],
  [
    "I8",
    "which was never committed",
    ({ records }) => void records.mails.push({ ...first(records.mails), isCommitted: false }),
  ],
  [
    "I8",
    "is on no record",
    ({ records }) => void records.mails.push({ ...first(records.mails), signatureId: "unknown" }),
  ],
  ["I8", "is invited by 0 jobs", ({ state }) => state.jobs.clear()],
  ["I8", "was never sent", ({ records }) => void records.mails.splice(0)],
  ["I12", "is still active", ({ state }) => changeJob(state, { state: "active" })],
  ["I12", "has expired and is OPEN", (w) => change(w, (r) => ({ ...reopened(r), expiresAt: LONG_AGO }))],
  [
    "I12",
    "came late",
    ({ state, schedule }) => changeJob(state, { endedAt: schedule.now() + 200 * 86_400_000 }),
  ],
]

describe("the checker", () => {
  it("has nothing to say of a run in which nothing is wrong", async () => {
    const { world, breaches } = await simulate(SEED)
    expect(breaches).toEqual([])
    expect(breachesOf(world, true)).toEqual([])
    expect(breachesOf(world, false)).toEqual(["I12: there is no end to it"])
  })

  it.each(TAMPERED)("says %s: … %s", async (invariant, words, tamper) => {
    const { world } = await simulate(SEED)
    tamper(world)
    const said = breachesOf(world, true).filter((breach) => breach.startsWith(`${invariant}: `))
    expect(said.join("\n")).toContain(words)
  })
})

function first<T>(list: Iterable<T>): T {
  for (const one of list) return one
  throw new Error("There is none.")
}

/** As the last commit of the request had it. */
function change(world: World, to: (request: SignatureRequest) => SignatureRequest): void {
  const request = to(first(world.state.requests.values()))
  world.state.requests.set(request.id, request)
  world.records.changes.push({ at: world.schedule.now(), before: null, after: request })
}

const changeSigner = (world: World, to: Partial<SignatureRequest["signatures"][number]>): void =>
  change(world, (r) => ({ ...r, signatures: r.signatures.map((s, n) => (n === 0 ? { ...s, ...to } : s)) }))

/** The bytes of the newest version of the first document. */
function rewrite({ state, records }: World, to: (text: string) => string): void {
  const newestId = first(state.requests.values()).documents[0]?.newestId ?? ""
  const version = records.versions.get(newestId)
  if (version !== undefined) records.versions.set(newestId, { ...version, text: to(version.text ?? "") })
}

const child = ({ records }: World) =>
  first([...records.versions].filter(([, { document }]) => document.parentId !== null))

/** Sound by itself, and no continuation of its parent. */
function forge(world: World): void {
  const [id, { document }] = child(world)
  world.records.versions.set(id, { document: { ...document, sha256: sha256("forged") }, text: "forged" })
}

function branch(world: World): void {
  const { records } = world
  const [id, version] = child(world)
  records.versions.set(`${id} again`, { ...version, document: { ...version.document, id: `${id} again` } })
}

const reopened = (request: SignatureRequest): SignatureRequest => ({
  ...request,
  signatures: request.signatures.map((s) => ({ ...s, state: "open" })),
})

const LONG_AGO = { date: "1970-01-01", passesAt: new Date(0) }

const last = ({ records }: World): SignatureRequest =>
  first(records.changes.toReversed().flatMap((c) => c.after ?? []))

function reverse(world: World): void {
  const before = last(world)
  world.records.changes.push({ at: 0, before, after: reopened(before) })
}

function removeAll(world: World): void {
  const before = last(world)
  world.records.changes.push({ at: 0, before, after: { ...before, signatures: [] } })
}

type State = World["state"]
const callback = ({ deliveries }: State) =>
  first([...deliveries.values()].filter((row) => row.eventId === null))

function changeCall(state: State, to: Partial<ReturnType<typeof callback>>): void {
  const row = callback(state)
  state.deliveries.set(row.id, { ...row, endedAt: 0, ...to })
}

function changeJob({ jobs }: State, to: Partial<ReturnType<State["jobs"]["get"]> & object>): void {
  const row = first(jobs.values())
  jobs.set(row.id, { ...row, ...to })
}
