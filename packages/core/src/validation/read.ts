import type { Caller } from "../access/caller.ts"
import { deletedBy } from "../evidence/erase.ts"
import type { Clock, Read, Reading, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Validation, View } from "./model.ts"
import type { Reported } from "./ports.ts"

type Reads = { readonly read: Read; readonly now: Clock }

/** VAL-08: of whoever made it, for ten minutes. Whatever else the id is of, it is answered like one that nothing has. */
export const readValidation = (parts: Reads, caller: Caller, id: string): Promise<Validation> =>
  parts.read(caller.businessId, (reading) => found(parts, reading, caller, id))

export const readDifference = (
  parts: Reads,
  caller: Caller,
  { id, n, view }: { readonly id: string; readonly n: number; readonly view: View },
): Promise<Uint8Array> =>
  parts.read(caller.businessId, async (reading) => {
    const validation = await found(parts, reading, caller, id)
    return there(await reading.findDifference(validation.id, n, view))
  })

/** What a report is written from. */
export const readReported = (parts: Reads, caller: Caller, id: string): Promise<Reported> =>
  parts.read(caller.businessId, async (reading) => {
    const { report, asked, id: known } = await found(parts, reading, caller, id)
    return { id: known, report, asked, pictures: await reading.listDifferences(known) }
  })

export async function removeValidation(
  parts: { readonly transact: Transact; readonly now: Clock },
  caller: Caller,
  id: string,
): Promise<void> {
  await parts.transact(caller.businessId, async (tx) => {
    const at = parts.now()
    there((await tx.removeValidation(caller, id, at)) || null)
    await tx.eraseStory({ id, about: "validation", at, ...deletedBy(caller) })
  })
}

export const found = async (
  { now }: Reads,
  reading: Reading,
  caller: Caller,
  id: string,
): Promise<Validation> => there(await reading.findValidation(caller, id, now()))

function there<T>(found: T | null): T {
  if (found === null) throw new Refusal("not-found", "There is no such object.")
  return found
}
