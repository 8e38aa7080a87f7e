import type { Document } from "@paraph/core/document/model"
import type { Process } from "../schedule.ts"
import { call, latency, type World } from "../world.ts"
import { apply, newTransaction, type Transaction } from "./transaction.ts"

/** `idle_in_transaction_session_timeout` of the store. */
const IDLE_MS = 30_000

/** Runs the work in one transaction; what it throws rolls back. */
export async function inTransaction<T>(
  world: World,
  process: Process,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!process.alive) return new Promise(() => undefined)
  const tx = newTransaction(process, world.schedule.now())
  world.open.add(tx)
  try {
    const done = await work(tx)
    await call(world, process, "database", "commit", () => commit(world, tx))
    return done
  } finally {
    rollBack(world, tx)
  }
}

/** One statement of a transaction: there and back, unless the connection is gone. */
export function statement(world: World, tx: Transaction, label: string): Promise<void> {
  const { schedule, faults } = world
  return new Promise((resolve, reject) => {
    const outcome = faults.outcome("database", schedule.now())
    const takes = outcome.startsWith("late") ? 35_000 : latency(world)
    schedule.at(schedule.now() + takes, tx.process, label, () => {
      if (outcome !== "done") rollBack(world, tx)
      if (tx.over) return reject(new Error("the connection to the database is gone"))
      tx.lastAt = schedule.now()
      resolve()
    })
  })
}

export async function lock(world: World, tx: Transaction, name: string): Promise<void> {
  const waiting = world.locks.take(tx, name)
  if (waiting === undefined) return
  await waiting.catch((error: Error) => {
    if (error.message.startsWith("deadlock")) world.records.faults.deadlocks += 1
    rollBack(world, tx)
    throw error
  })
  tx.lastAt = world.schedule.now()
  if (tx.over) throw new Error("the connection to the database is gone")
}

function commit(world: World, tx: Transaction): void {
  if (tx.over) throw new Error("the transaction is over")
  const { state, records, schedule } = world
  for (const [id, after] of tx.writes.get(state.requests as never) ?? []) {
    const before = state.requests.get(id) ?? null
    records.changes.push({ at: schedule.now(), before, after: after as typeof before })
  }
  for (const [id, row] of tx.writes.get(state.documents as never) ?? []) {
    const document = row as Document | null
    if (document !== null && !records.versions.has(id))
      records.versions.set(id, { document, text: records.objects.get(document.blob.name) })
  }
  apply(tx)
  end(world, tx)
  for (const told of tx.afterCommit) told()
}

export function rollBack(world: World, tx: Transaction): void {
  if (!tx.over) end(world, tx)
}

function end(world: World, tx: Transaction): void {
  tx.over = true
  world.open.delete(tx)
  world.locks.release(tx)
}

/** The database sees that the connections of a dead process are closed. */
export function forget(world: World, process: Process): void {
  for (const tx of [...world.open]) if (tx.process === process) rollBack(world, tx)
}

/** Whoever stands still within a transaction is cut off, so that others get on. */
export function watchIdle(world: World, process: Process): void {
  const { schedule } = world
  schedule.at(schedule.now() + IDLE_MS, null, `idle transactions of ${process.name}`, () => {
    for (const tx of [...world.open])
      if (tx.process === process && tx.waitsFor === null && schedule.now() - tx.lastAt >= IDLE_MS)
        rollBack(world, tx)
  })
}
