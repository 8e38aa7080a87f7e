import type { Transact } from "@paraph/core/ports"
import type { Process } from "../schedule.ts"
import { call, type World } from "../world.ts"
import { inTransaction, lock, statement } from "./database.ts"
import type { KeyRow } from "./tables.ts"
import { get, put, type Transaction } from "./transaction.ts"
import { tookOver, txOf } from "./tx.ts"

/** As `store/idempotency`. */
export const LEASE_MS = 10_000
const KEPT_MS = 24 * 3_600_000

export type Claim = { readonly key: string; readonly id: string }
export type Claimed =
  | { readonly type: "ours"; readonly claim: Claim }
  | { readonly type: "running" }
  | { readonly type: "answered"; readonly answer: NonNullable<KeyRow["answer"]> }
  | { readonly type: "done"; readonly claim: Claim; readonly result: string | null }

/** Transactions of one process; under a claim, the commit itself says that the work of the key is done. */
export const createTransact =
  (world: World, process: Process, claim: Claim | null = null): Transact =>
  async (_, work) => {
    let result: string | null = null
    const isApart = world.plant === "an idempotency key is marked after the commit"
    const done = await inTransaction(world, process, async (tx) => {
      const ports = txOf(world, tx, claim?.key ?? null)
      if (claim === null) return work(ports)
      const answer = await work({
        ...ports,
        insertRequest: (request) => {
          result = request.id
          return ports.insertRequest(request)
        },
        saveRequest: (request, before) => {
          result = request.id
          return ports.saveRequest(request, before)
        },
      })
      if (!isApart) await markDone(world, tx, claim, result)
      return answer
    })
    if (claim !== null && isApart)
      await call(world, process, "database", "mark key", () =>
        change(world, claim, { committed: true, result }),
      )
    return done
  }

async function markDone(world: World, tx: Transaction, claim: Claim, result: string | null): Promise<void> {
  await statement(world, tx, "mark key")
  await lock(world, tx, `key ${claim.key}`)
  const row = get(tx, world.state.keys, claim.key)
  if (row?.claim !== claim.id) throw tookOver()
  put(tx, world.state.keys, claim.key, { ...row, committed: true, result: result ?? row.result })
}

/** One of a day ago gives way, and so does a claim whose holder is gone: the work of that one can no longer commit. */
export const claimKey = (world: World, process: Process, key: string): Promise<Claimed> =>
  call(world, process, "database", "claim key", (): Claimed => {
    const now = world.schedule.now()
    const row = world.state.keys.get(key)
    // Somebody commits for it just now: whoever writes the row would wait for that.
    if (world.locks.isHeld(`key ${key}`)) return { type: "running" }
    const isGone = row !== undefined && !row.committed && row.answer === null && row.leaseUntil <= now
    if (row === undefined || row.expiresAt <= now || isGone) {
      const id = world.newId("claim")
      const fresh = { committed: false, result: null, answer: null }
      world.state.keys.set(key, { claim: id, leaseUntil: now + LEASE_MS, expiresAt: now + KEPT_MS, ...fresh })
      return { type: "ours", claim: { key, id } }
    }
    if (row.answer !== null) return { type: "answered", answer: row.answer }
    return row.committed && row.leaseUntil <= now
      ? { type: "done", claim: { key, id: row.claim }, result: row.result }
      : { type: "running" }
  })

function change(world: World, { key, id }: Claim, to: Partial<KeyRow>): void {
  const row = world.state.keys.get(key)
  if (row?.claim === id) world.state.keys.set(key, { ...row, ...to })
}

export const renewClaim = (world: World, process: Process, claim: Claim): Promise<void> =>
  call(world, process, "database", "renew claim", () =>
    change(world, claim, { leaseUntil: world.schedule.now() + LEASE_MS }),
  )

/** The first answer stays. */
export const keepAnswer = (
  world: World,
  process: Process,
  claim: Claim,
  answer: NonNullable<KeyRow["answer"]>,
): Promise<void> =>
  call(world, process, "database", "keep answer", () => {
    if (world.state.keys.get(claim.key)?.answer === null) change(world, claim, { answer })
  })

/** Nothing came of it: the next one may try. What has committed stays, and is there for the next one at once. */
export const letGo = (world: World, process: Process, claim: Claim): Promise<void> =>
  call(world, process, "database", "let go", () => {
    const row = world.state.keys.get(claim.key)
    if (row?.claim !== claim.id || row.answer !== null) return
    if (row.committed) change(world, claim, { leaseUntil: world.schedule.now() })
    else world.state.keys.delete(claim.key)
  })
