import type { Process } from "../schedule.ts"
import type { Table } from "./tables.ts"

/** Row key to row; null: it is deleted. */
type Writes = Map<Table<unknown>, Map<string, unknown>>

/** Read committed: sees what is committed and its own writes, which nobody else sees before its end. */
export type Transaction = {
  readonly process: Process
  readonly writes: Writes
  readonly locks: Set<string>
  waitsFor: string | null
  over: boolean
  lastAt: number
  /** Done with the commit, and by nobody where there is none. */
  readonly afterCommit: (() => void)[]
}

export const newTransaction = (process: Process, now: number): Transaction => ({
  process,
  writes: new Map(),
  locks: new Set(),
  waitsFor: null,
  over: false,
  lastAt: now,
  afterCommit: [],
})

const writesTo = (tx: Transaction, table: Table<never>): Map<string, unknown> => {
  const key = table as unknown as Table<unknown>
  const known = tx.writes.get(key)
  if (known !== undefined) return known
  const fresh = new Map<string, unknown>()
  tx.writes.set(key, fresh)
  return fresh
}

export function get<T>(tx: Transaction, table: Table<T>, key: string): T | null {
  const own = tx.writes.get(table as Table<unknown>)
  if (own?.has(key) === true) return (own.get(key) as T | null) ?? null
  return table.get(key) ?? null
}

export const put = <T>(tx: Transaction, table: Table<T>, key: string, row: T): void =>
  void writesTo(tx, table as Table<never>).set(key, row)

export const drop = <T>(tx: Transaction, table: Table<T>, key: string): void =>
  void writesTo(tx, table as Table<never>).set(key, null)

export function rows<T>(tx: Transaction, table: Table<T>): readonly T[] {
  const own = tx.writes.get(table as Table<unknown>) as Map<string, T | null> | undefined
  if (own === undefined) return [...table.values()]
  const kept = [...table].flatMap(([key, row]) => (own.has(key) ? [] : [row]))
  return [...kept, ...[...own.values()].filter((row): row is T => row !== null)]
}

/** All of it at once. */
export function apply(tx: Transaction): void {
  for (const [table, writes] of tx.writes)
    for (const [key, row] of writes)
      if (row === null) table.delete(key)
      else table.set(key, row)
}
