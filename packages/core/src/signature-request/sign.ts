import { LIMITS } from "../limits.ts"
import { isGivenUp } from "../patience.ts"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { apply } from "./apply.ts"
import { makeMark, type SigningParts } from "./make-mark.ts"
import type { Lack, SignatureRequest } from "./model.ts"
import { isStillWanted, isWanted, type SigningTask, signatureOf } from "./wanted-mark.ts"

/**
 * Makes one mark: intent, value, blob, apply; each is on record before the next begins, so the job can die
 * anywhere and run again. A SES signature works without a lock on the newest version it reads; when somebody
 * else was faster, `apply` refuses and the work starts again on the newer one.
 */
export async function performSigning(parts: SigningParts, task: SigningTask, attempt = 1): Promise<void> {
  for (;;) {
    const request = await parts.read(
      task.businessId,
      (reading) => reading.findRequest(task.requestId),
      "once",
    )
    if (request === null || !isWanted(request, task)) return
    try {
      await makeMark(parts, task, request)
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null
      if (code === "document-moved-on") continue
      // Another worker made the mark, or the request ended or went, and its rows with it: then nothing has failed.
      if (!(await isStillWanted(parts, task))) return
      const never = code !== null && NEVER.includes(code)
      // An outage only waits, visibly, until the time is over; whatever it is that fails.
      if (!never && !isTooLate(request, task, parts.now(), attempt)) {
        if (error instanceof Refusal && error.lacks !== undefined) await wait(parts, task, error.lacks)
        throw error
      }
      await fail(parts, task)
      return
    }
    parts.pass("mark-applied")
    return
  }
}

/** The document cannot be signed, today or ever: the request ends in ERROR. Anything else is tried again. */
export const NEVER: readonly RefusalCode[] = [
  "pdf-corrupt",
  "pdf-encrypted",
  "pdf-locked",
  "pdf-xfa",
  "pdf-not-a-pdf",
  // The enforced place is not one of the document as it is now.
  "constraint-violated",
]

/** Says what is missing to whoever looks, unless the request has ended meanwhile. */
async function wait(parts: SigningParts, task: SigningTask, lack: Lack): Promise<void> {
  const { businessId, requestId, signatureId } = task
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    if (request === null || !isWanted(request, task)) return
    await apply(tx, requestId, { type: "wait", signatureId, lack, at: parts.now() })
  })
}

/** Ends the request in ERROR, unless it has ended in another way meanwhile. */
async function fail(parts: SigningParts, task: SigningTask): Promise<void> {
  const { businessId, requestId, signatureId } = task
  await parts.transact(businessId, async (tx) => {
    const request = await tx.lockRequest(requestId)
    if (request === null || !isWanted(request, task)) return
    await apply(tx, requestId, { type: "fail", signatureId, at: parts.now() })
  })
}

function isTooLate(request: SignatureRequest, task: SigningTask, now: Date, attempt: number): boolean {
  const since = signatureOf(request, task)?.consent?.at ?? now
  return isGivenUp(since, now, LIMITS.signingRetryMs, attempt)
}
