import { setTimeout as pause } from "node:timers/promises"
import { PREFIX } from "@paraph/store/blobs/bucket"
import type { WorkerParts } from "../worker-parts.ts"
import { createAuthorityCare } from "./look-after-authority.ts"
import { isFullBatch, passTime } from "./pass-time.ts"

const BATCH = 200
const IN_A_TURN = 20
/** Whoever claimed may have died: then somebody else removes the object. */
const AGAIN_MS = 5 * 60_000

/** Where a step stopped before it was through, it is gone on with at once. */
type Swept = { readonly documents: number; readonly objects: number; readonly isThrough: boolean }

/**
 * What is to be gone, from indexed columns: documents whose request was deleted (the cascade), and objects that no
 * document owns; and rows of what is over. Calls that a wrong clock put off are due again. Several workers may sweep at once, and any of them may die: each step can be done twice.
 */
export async function sweepOnce(parts: WorkerParts): Promise<Swept> {
  const documents = await parts.removeMarked(BATCH)
  const againAt = new Date(parts.now().getTime() + AGAIN_MS)
  const names = await parts.claimDue({ limit: BATCH, againAt })
  if (names.length > 0) parts.pass("objects-claimed")
  for (const name of names) {
    await parts.bucket.markErased({ about: "object", id: name.slice(PREFIX.length) })
    await parts.bucket.remove(name)
  }
  if (names.length > 0) parts.pass("objects-removed")
  await parts.forgetLoose(names)
  // Until none is left: hundreds of them come a second, and the answers in them are promised to be gone after a day.
  while ((await parts.idempotency.removeOld(BATCH)) === BATCH);
  while ((await parts.removeOldWindows(BATCH)) === BATCH);
  // Each in turn, so that a year of one, when an operator shortens a setting, does not hold up the others.
  let isThrough = documents < BATCH && names.length < BATCH
  for (const remove of parts.removePast) {
    let batches = 0
    while (batches < IN_A_TURN && (await remove(BATCH)) === BATCH) batches += 1
    isThrough &&= batches < IN_A_TURN
  }
  while (await parts.removeOldOfAccounts(BATCH));
  await parts.bringForward(parts.now())
  return { documents, objects: names.length, isThrough }
}

/** Sweeps until it is told to stop; a part that is down is told in the log, and tried again the next time. */
export function startSweep(parts: WorkerParts, everySeconds: number): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const lookAfterAuthority = createAuthorityCare(parts)
  const sweeping = (async () => {
    while (!ending.signal.aborted) {
      const swept = await sweepOnce(parts).catch((error: unknown) => {
        parts.log.warn({ error }, "sweep failed")
        return { documents: 0, objects: 0, isThrough: true }
      })
      const { documents, objects, isThrough } = swept
      if (documents + objects > 0) parts.log.info({ documents, objects }, "swept")
      const passed = await passTime(parts).catch((error: unknown) => {
        parts.log.warn({ error }, "time stands still")
        return 0
      })
      await lookAfterAuthority()
      await parts
        .lookAfterTrustedLists()
        .catch((error: unknown) => parts.log.warn({ error }, "the trusted lists were not looked after"))
      if (isThrough && !isFullBatch(passed))
        await pause(everySeconds * 1000, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: () => {
      ending.abort()
      return sweeping
    },
  }
}
