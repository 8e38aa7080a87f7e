import type { Schedule } from "../schedule.ts"
import type { Transaction } from "./transaction.ts"

/** `statement_timeout` of the store: who waits for longer is told that it took too long. */
const STATEMENT_MS = 30_000

type Waiting = {
  readonly tx: Transaction
  readonly granted: () => void
  readonly refused: (error: Error) => void
}
type Lock = { holder: Transaction; readonly waiting: Waiting[] }

export type Locks = ReturnType<typeof createLocks>

/** Row locks and advisory locks, as PostgreSQL has them: in the order of arrival, and nobody waits for each other. */
export function createLocks(schedule: Schedule) {
  const locks = new Map<string, Lock>()

  const take = (tx: Transaction, name: string): Promise<void> | undefined => {
    const lock = locks.get(name)
    if (lock === undefined) {
      locks.set(name, { holder: tx, waiting: [] })
      tx.locks.add(name)
      return undefined
    }
    if (lock.holder === tx) return undefined
    if (isDeadlock(locks, tx, lock)) return Promise.reject(new Error("deadlock detected"))
    return wait(tx, name, lock)
  }
  const wait = (tx: Transaction, name: string, lock: Lock) =>
    new Promise<void>((resolve, reject) => {
      tx.waitsFor = name
      const waiting: Waiting = {
        tx,
        granted: () => schedule.at(schedule.now() + 0.1, tx.process, `lock ${name}`, resolve),
        refused: (error) => schedule.at(schedule.now(), tx.process, `no lock ${name}`, () => reject(error)),
      }
      lock.waiting.push(waiting)
      schedule.at(schedule.now() + STATEMENT_MS, null, "statement timeout", () => {
        const place = lock.waiting.indexOf(waiting)
        if (place < 0) return
        lock.waiting.splice(place, 1)
        tx.waitsFor = null
        waiting.refused(new Error("canceling statement due to statement timeout"))
      })
    })
  const next = (name: string, lock: Lock): void => {
    const first = lock.waiting.shift()
    if (first === undefined) return void locks.delete(name)
    first.tx.waitsFor = null
    lock.holder = first.tx
    first.tx.locks.add(name)
    first.granted()
  }
  return {
    take,
    isHeld: (name: string) => locks.has(name),
    /** At the end of a transaction, however it ends. */
    release: (tx: Transaction) => {
      if (tx.waitsFor !== null) {
        const lock = locks.get(tx.waitsFor)
        const place = lock?.waiting.findIndex((one) => one.tx === tx) ?? -1
        if (place >= 0) lock?.waiting.splice(place, 1)
        tx.waitsFor = null
      }
      for (const name of tx.locks) {
        const lock = locks.get(name)
        if (lock !== undefined) next(name, lock)
      }
      tx.locks.clear()
    },
  }
}

/** Whether whoever holds it waits, over others perhaps, for what we hold. */
function isDeadlock(locks: ReadonlyMap<string, Lock>, tx: Transaction, lock: Lock): boolean {
  let holder: Transaction | undefined = lock.holder
  while (holder !== undefined && holder.waitsFor !== null) {
    holder = locks.get(holder.waitsFor)?.holder
    if (holder === tx) return true
  }
  return false
}
