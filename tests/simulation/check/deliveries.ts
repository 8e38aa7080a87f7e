import { type CallbackType, type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { DeliveryRow } from "../store/tables.ts"
import type { World } from "../world.ts"

/** I7: what is owed follows from what was committed, and nothing else does. */
export function checkOwed({ records, state, listens }: World): readonly string[] {
  const owed = new Map<string, number>()
  for (const { before, after } of records.changes)
    if (before !== null && after !== null)
      for (const type of callsOf(before, after))
        if (after.callbacks[type] !== undefined) add(owed, `${type} of ${after.id}`)
  const made = new Map<string, number>()
  for (const { type, subjectId, eventId } of state.deliveries.values())
    if (eventId === null) add(made, `${type} of ${subjectId}`)
  const callbacks = [...new Set([...owed.keys(), ...made.keys()])].flatMap((what) =>
    owed.get(what) === made.get(what)
      ? []
      : [`I7: ${what} is owed ${made.get(what) ?? 0} times, not ${owed.get(what) ?? 0}`],
  )
  const told = new Set([...state.deliveries.values()].map((row) => row.eventId))
  const events = [...state.journal.keys()].flatMap((id) =>
    told.has(id) ? [] : [`I7: ${id} is owed to nobody`],
  )
  return listens ? [...callbacks, ...events] : callbacks
}

/** Part 6: a signature that is not the last one is an update; the end is a success or an error. */
function callsOf(before: SignatureRequest, after: SignatureRequest): readonly CallbackType[] {
  const [was, is] = [statusOf(before), statusOf(after)]
  if (was !== "OPEN") return []
  if (is === "SIGNED") return ["success"]
  if (is !== "OPEN") return ["error"]
  const signed = ({ signatures }: SignatureRequest) => signatures.filter((s) => s.state === "signed").length
  return signed(after) > signed(before) ? ["update"] : []
}

const add = (counts: Map<string, number>, what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)

/** I7: each reached its receiver or was given up after its time, the first time in order, and none before its commit. */
export function checkDelivered({ records, state }: World): readonly string[] {
  const first = new Map<string, number>()
  const breaches = records.rewritten.map((id) => `I7: ${id} was over, and somebody else wrote it down again`)
  for (const { deliveryId, at, isCommitted } of records.receipts) {
    if (!isCommitted) breaches.push(`I7: ${deliveryId} came before its commit`)
    if (!first.has(deliveryId)) first.set(deliveryId, at)
  }
  for (const row of state.deliveries.values()) {
    if (row.state === "OPEN") breaches.push(`I7: ${row.id} is still owed`)
    if (row.state === "COMPLETED" && !first.has(row.id)) breaches.push(`I7: ${row.id} never arrived`)
    if (row.state === "RESIGNED" && row.endedAt < row.giveUpAt)
      breaches.push(`I7: ${row.id} was given up too early`)
  }
  for (const line of Map.groupBy(state.deliveries.values(), (row) => row.line).values())
    breaches.push(...inOrder(line, first))
  return breaches
}

function inOrder(line: readonly DeliveryRow[], first: ReadonlyMap<string, number>): readonly string[] {
  // What was given up may still come from somebody who stood still since then: nobody waits for it.
  const arrived = line.filter((row) => row.state === "COMPLETED").toSorted((a, b) => a.place - b.place)
  return arrived.flatMap((row, n) => {
    const next = arrived[n + 1]
    const isBefore = next === undefined || (first.get(row.id) ?? 0) <= (first.get(next.id) ?? 0)
    return isBefore ? [] : [`I7: ${next.id} came before ${row.id}`]
  })
}
