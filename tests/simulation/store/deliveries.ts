import type { Attempted, Claimed } from "@paraph/core/delivery/model"
import type { createPlaces } from "@paraph/server/jobs/deliver"
import type { Process } from "../schedule.ts"
import { call, type World } from "../world.ts"
import { inTransaction, lock, statement } from "./database.ts"
import { appendJournal, letNextGo, openRows, WEBHOOK } from "./outbox.ts"
import type { DeliveryRow } from "./tables.ts"
import { get, put, type Transaction } from "./transaction.ts"

type DeliveringParts = Parameters<typeof createPlaces>[0]
type Claim = Parameters<DeliveringParts["claimDeliveries"]>[0]

/** A business gets so many at a time. */
const AT_A_TIME = 4

/** As `store/postgres/deliveries`; there is one business here. */
export function deliveriesOf(
  world: World,
  process: Process,
): Pick<DeliveringParts, "claimDeliveries" | "extendClaims" | "recordAttempt"> {
  const { deliveries } = world.state
  return {
    claimDeliveries: (claim) =>
      call(world, process, "database", "claim deliveries", () => claimDue(world, claim)),
    extendClaims: (claim, ids, until) =>
      call(world, process, "database", "extend claims", () => {
        for (const id of ids) {
          const row = deliveries.get(id)
          if (row?.claim !== claim || row.state !== "OPEN") continue
          deliveries.set(id, { ...row, dueAt: until.getTime() })
          world.wake("deliveries", until.getTime())
        }
      }),
    recordAttempt: (claimed, attempted) =>
      attempted.next.state === "OPEN"
        ? call(world, process, "database", "record attempt", () => putOff(world, claimed, attempted))
        : inTransaction(world, process, (tx) => conclude(world, tx, claimed, attempted)),
  }
}

function claimDue(
  world: World,
  { retry, limits, share, busy, after, claim, leaseUntil }: Claim,
): readonly Claimed[] {
  const now = world.schedule.now()
  const due = openRows(world.state.deliveries)
    .filter((row) => row.retry === retry && row.dueAt <= now && isBehind(row, after))
    .filter((row) => !world.locks.isHeld(`delivery ${row.id}`))
    .sort((a, b) => a.dueAt - b.dueAt)
  const count = Math.min(limits.demo, AT_A_TIME, Math.max(0, share - (busy.get("business") ?? 0)))
  const taken = due.slice(0, count)
  for (const row of taken) world.state.deliveries.set(row.id, { ...row, claim, dueAt: leaseUntil.getTime() })
  if (taken.length > 0) world.wake("deliveries", leaseUntil.getTime())
  return taken.map((row) => claimedOf(row, claim))
}

/** Everything here is of demo. */
const isBehind = ({ businessId }: DeliveryRow, { demo }: Claim["after"]): boolean =>
  demo === null || businessId > demo

/** Whether a look would find something. */
export const isCallDue = ({ state, schedule }: World): boolean =>
  openRows(state.deliveries).some(({ dueAt }) => dueAt <= schedule.now())

function claimedOf(row: DeliveryRow, claim: string): Claimed {
  const { id, retry, attempts, url, businessId, subjectId, eventId } = row
  const whose = { businessId, subjectId, kind: "demo" } as const
  const of = { id, claim, ...whose, retry, attempts, giveUpAt: new Date(row.giveUpAt) }
  return eventId === null
    ? { ...of, to: "callback", url }
    : { ...of, to: "webhook", webhookId: WEBHOOK.id, eventId }
}

const isTheirs = (world: World, row: DeliveryRow | null, claim: string): row is DeliveryRow => {
  if (row !== null && world.plant === "whoever called writes it down, lease or not") return true
  return row?.claim === claim && row.state === "OPEN"
}

function putOff(world: World, { id, claim }: Claimed, { next }: Attempted): boolean {
  const row = world.state.deliveries.get(id) ?? null
  if (!isTheirs(world, row, claim) || next.state !== "OPEN") return false
  if (row.state !== "OPEN") world.records.rewritten.push(id)
  const dueAt = next.dueAt.getTime()
  const noted = { attempts: row.attempts + 1, claim: null, retry: true, dueAt, state: "OPEN" as const }
  world.state.deliveries.set(id, { ...row, ...noted })
  world.wake("deliveries", dueAt)
  return true
}

async function conclude(
  world: World,
  tx: Transaction,
  { id, claim, subjectId, to }: Claimed,
  { next, at }: Attempted,
): Promise<boolean> {
  await statement(world, tx, "record attempt")
  await lock(world, tx, `lines ${subjectId}`)
  await lock(world, tx, `delivery ${id}`)
  const { deliveries } = world.state
  const row = get(tx, deliveries, id)
  if (!isTheirs(world, row, claim)) return false
  if (row.state !== "OPEN") world.records.rewritten.push(id)
  const noted = { attempts: row.attempts + 1, claim: null, endedAt: world.schedule.now() }
  put(tx, deliveries, id, { ...row, ...noted, state: next.state })
  letNextGo(world, tx, row.line)
  if (to === "callback" && next.state === "RESIGNED") {
    const none = { signatureId: null, documentId: null, status: null }
    const of = { kind: "demo", readers: [], requestId: subjectId, callbackId: id } as const
    await appendJournal(world, tx, [{ type: "callback.gave_up", at, ...of, ...none }])
  }
  return true
}
