import { journalOfDocument } from "@paraph/core/journal/of-change"
import { LIMITS } from "@paraph/core/limits"
import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { WorkerParts } from "../outside.ts"
import type { Process } from "../schedule.ts"
import { call, type World } from "../world.ts"
import { inTransaction, lock, statement } from "./database.ts"
import { appendJournal } from "./outbox.ts"
import type { State } from "./tables.ts"
import { drop, put } from "./transaction.ts"

type Dates = Pick<
  WorkerParts,
  "dueToExpire" | "dueToWarn" | "dueToRetire" | "claimRenewals" | "removeMarked" | "claimDue" | "forgetLoose"
>

/** As `store/postgres/due-requests` and `loose-blobs`: what a date has brought, found by a look at the tables. */
export function datesOf(world: World, process: Process): Dates {
  const { state, schedule } = world
  const due = (label: string, isDue: (request: SignatureRequest, now: number) => boolean) =>
    call(world, process, "database", label, () =>
      [...state.requests.values()]
        .filter((request) => isDue(request, schedule.now()) && !world.locks.isHeld(`request ${request.id}`))
        .map(({ id: requestId, businessId }) => ({ businessId, requestId })),
    )
  return {
    dueToExpire: () => due("due to expire", isExpired),
    dueToWarn: () => due("due to warn", isToWarn),
    dueToRetire: () => due("due to retire", isToRetire),
    claimRenewals: () => call(world, process, "database", "claim renewals", () => claimRenewals(world)),
    removeMarked: () => removeMarked(world, process),
    claimDue: ({ againAt }) =>
      call(world, process, "database", "claim objects", () => {
        const names = [...state.loose].flatMap(([name, { dueAt }]) =>
          dueAt <= schedule.now() && !world.locks.isHeld(`loose ${name}`) ? [name] : [],
        )
        for (const name of names) state.loose.set(name, { claimed: true, dueAt: againAt.getTime() })
        if (names.length > 0) world.wake("dates", againAt.getTime())
        return names
      }),
    forgetLoose: (names) =>
      call(world, process, "database", "forget objects", () => {
        for (const name of names) if (state.loose.get(name)?.claimed === true) state.loose.delete(name)
      }),
  }
}

const isExpired = (request: SignatureRequest, now: number) =>
  statusOf(request) === "OPEN" && request.expiresAt !== null && request.expiresAt.passesAt.getTime() <= now

const isToWarn = (request: SignatureRequest, now: number) =>
  statusOf(request) === "OPEN" &&
  request.expiryWarnedAt === null &&
  request.expiresAt !== null &&
  request.expiresAt.passesAt.getTime() > now &&
  request.expiresAt.passesAt.getTime() - LIMITS.expiryWarningMs <= now

const isToRetire = ({ autoDeleteAt }: SignatureRequest, now: number) =>
  autoDeleteAt !== null && autoDeleteAt.beginsAt.getTime() <= now

const isToRenew = (request: SignatureRequest, now: number) =>
  statusOf(request) === "SIGNED" &&
  request.documents.some((d) => d.renewAt !== null && d.renewAt.getTime() <= now)

/** Whoever takes one puts its time off. */
function claimRenewals(world: World) {
  const now = world.schedule.now()
  const againAt = new Date(now + LIMITS.renewAgainMs)
  return [...world.state.requests.values()].flatMap((request) => {
    if (!isToRenew(request, now) || world.locks.isHeld(`request ${request.id}`)) return []
    const isDue = (renewAt: Date | null) => renewAt !== null && renewAt.getTime() <= now
    const documents = request.documents.map((d) => (isDue(d.renewAt) ? { ...d, renewAt: againAt } : d))
    world.state.requests.set(request.id, { ...request, documents })
    world.wake("dates", againAt.getTime())
    const { businessId, id: requestId } = request
    return request.documents.flatMap((d) =>
      isDue(d.renewAt) ? [{ businessId, requestId, documentId: d.id }] : [],
    )
  })
}

/** The cascade: one that an intent still names waits until that is gone. */
const isToRemove = ({ documents, intents }: State, id: string) =>
  documents.get(id)?.removingSince != null &&
  ![...intents.values()].some((intent) => intent.documentId === id || intent.baseId === id)

const removeMarked = (world: World, process: Process): Promise<number> =>
  inTransaction(world, process, async (tx) => {
    const { state, schedule } = world
    await statement(world, tx, "remove marked")
    const ids = [...state.documents.keys()].filter(
      (id) => isToRemove(state, id) && !world.locks.isHeld(`document ${id}`),
    )
    for (const id of ids) {
      await lock(world, tx, `document ${id}`)
      const document = state.documents.get(id)
      if (document === undefined) continue
      drop(tx, state.documents, id)
      put(tx, state.loose, document.blob.name, { dueAt: schedule.now(), claimed: false })
      await appendJournal(world, tx, journalOfDocument("document.deleted", document, world.now()))
    }
    return ids.length
  })

/** Whether somebody has to look again. */
export function isSomethingDue({ state, schedule }: World): boolean {
  const now = schedule.now()
  const ofRequests = [...state.requests.values()].some(
    (request) =>
      isExpired(request, now) ||
      isToWarn(request, now) ||
      isToRetire(request, now) ||
      isToRenew(request, now),
  )
  const ofObjects = [...state.loose.values()].some(({ dueAt }) => dueAt <= now)
  return ofRequests || ofObjects || [...state.documents.keys()].some((id) => isToRemove(state, id))
}
