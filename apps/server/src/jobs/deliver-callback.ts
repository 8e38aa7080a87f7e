import type { DeliverCallback } from "@paraph/core/jobs"
import { LIMITS } from "@paraph/core/limits"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import type { WorkerParts } from "../parts.ts"

/**
 * Part 6: any 2xx ends it; otherwise it is tried again with growing pauses for 72 hours, then given up: noted, not
 * thrown, so that the callbacks behind it, to the same URL, are not held back for ever.
 */
export async function deliverCallback(parts: WorkerParts, id: string, job: DeliverCallback): Promise<void> {
  const owed = await parts.findCallback(id)
  if (owed === undefined || owed.state !== "OPEN") return
  const outcome = await attempt(parts, job.url)
  const now = parts.now()
  if (outcome.delivered) return parts.recordAttempt(id, { state: "COMPLETED", message: outcome.message, now })

  const givenUp = now.getTime() - owed.created_at.getTime() > LIMITS.callbackRetryMs
  await parts.recordAttempt(id, { state: givenUp ? "RESIGNED" : "OPEN", message: outcome.message, now })
  if (!givenUp) throw new CallbackFailed(outcome.message)
}

class CallbackFailed extends Error {}

async function attempt(parts: WorkerParts, url: string) {
  try {
    const { status } = await parts.postCallback(url)
    return { delivered: status >= 200 && status < 300, message: `answered ${status}` }
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return { delivered: false, message: error.message }
  }
}
