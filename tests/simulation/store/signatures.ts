import type { World } from "../world.ts"
import { lock } from "./database.ts"
import { drop, rows, type Transaction } from "./transaction.ts"

/** Makes a port of some work: one statement before it. */
export type Asking = <A extends readonly unknown[], T>(
  label: string,
  work: (...args: A) => T | Promise<T>,
) => (...args: A) => Promise<T>

/** Links, intents and the like refer to the signature: whoever adds one waits for who removes it, and the other way. */
export async function mustHaveSignature(world: World, tx: Transaction, id: string): Promise<void> {
  await lock(world, tx, `signature ${id}`)
  const isThere = rows(tx, world.state.requests).some((r) => r.signatures.some((s) => s.id === id))
  if (!isThere) throw new Error("violates foreign key constraint: signature")
}

export async function removeSignatures(world: World, tx: Transaction, ids: readonly string[]): Promise<void> {
  const { intents, links } = world.state
  for (const id of ids) {
    await lock(world, tx, `signature ${id}`)
    for (const [key, { signatureId }] of intents) if (signatureId === id) drop(tx, intents, key)
    for (const [key, { signatureId }] of links) if (signatureId === id) drop(tx, links, key)
  }
}
