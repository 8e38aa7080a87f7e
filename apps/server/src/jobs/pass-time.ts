import { askIdentityProvider } from "@paraph/core/identification/ask"
import { LIMITS } from "@paraph/core/limits"
import { destroyDue } from "@paraph/core/release/destroy"
import { endTurn } from "@paraph/core/release/leave"
import type { SealRenewalTask } from "@paraph/core/seal/model"
import { renewSealed } from "@paraph/core/seal/renew"
import { type Due, expireRequest, retire, warnOfExpiry } from "@paraph/core/signature-request/pass-time"
import { renewDocument } from "@paraph/core/signature-request/renew"
import { BusinessMoving } from "@paraph/store/postgres/of-the-business"
import type { WorkerParts } from "../worker-parts.ts"

const BATCH = 100
/** Each of them asks authorities, and nobody waits for it. */
const RENEWALS = 10

/**
 * What a date brings, swept from indexed columns: requests that expire, signers who are warned before, requests that the
 * retention policy deletes, providers that are asked once more about somebody. One transaction each, and each can be tried twice.
 */
export async function passTime(parts: WorkerParts): Promise<number> {
  const expired = await each(await parts.dueToExpire(BATCH), (due) => expireRequest(parts, due))
  const warned = await each(await parts.dueToWarn(BATCH), (due) => warnOfExpiry(parts, due))
  const retired = await each(await parts.dueToRetire(BATCH), (due) => retire(parts, due))
  const renewed =
    (await each(await parts.claimRenewals(RENEWALS), (due) => renewDocument(parts, due))) +
    (await each(await parts.claimSealRenewals(RENEWALS), (due) => renewSealed(parts, due)))
  const asked = await each(await parts.claimReviews(RENEWALS), (due) => askIdentityProvider(parts, due))
  const given = await each(await parts.dueTurns(BATCH), (due) => endTurn(parts, due))
  const destroyed = await destroyKeys(parts)
  const ended = new Date(parts.now().getTime() - LIMITS.signerSessionMs)
  while ((await parts.removeOldSessions(ended, BATCH)) === BATCH);
  if (expired + warned + retired + renewed + given + destroyed + asked > 0)
    parts.log.info({ expired, warned, retired, renewed, given, destroyed, asked }, "time passed")
  return Math.max(expired, warned, retired, given)

  async function each<T extends Due | SealRenewalTask>(
    found: readonly T[],
    work: (due: T) => Promise<void>,
  ): Promise<number> {
    let done = 0
    // One that fails is told and left for the next time; it must not hold back the others. That of a business which moves is left to its new cell.
    for (const due of found)
      await work(due).then(
        () => void done++,
        (error: unknown) => {
          if (error instanceof BusinessMoving) return
          parts.log.error({ error, ...namesOf(due) }, "time could not pass")
        },
      )
    return done
  }
}

const namesOf = (due: Due | SealRenewalTask) =>
  "requestId" in due ? { signatureRequest: due.requestId } : { document: due.documentId }

/** Keys of signatures that were not made; a token that does not answer is asked again in a minute. */
async function destroyKeys(parts: WorkerParts): Promise<number> {
  const due = await parts.claimDueKeys({ againAt: new Date(parts.now().getTime() + 60_000), limit: BATCH })
  const done = await Promise.allSettled(due.map((key) => destroyDue(parts, key)))
  const failed = done.find((one) => one.status === "rejected")
  if (failed !== undefined) parts.log.warn({ error: failed.reason }, "a signer's key was not destroyed")
  return done.filter((one) => one.status === "fulfilled").length
}

/** There may be more of them. */
export const isFullBatch = (found: number): boolean => found >= BATCH
