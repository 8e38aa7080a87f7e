import type { Claimed } from "@paraph/core/delivery/model"
import { type Answered, whatFollows } from "@paraph/core/delivery/schedule"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import { inSpan, SpanKind } from "../telemetry/traces.ts"
import type { DeliveringParts } from "./deliver.ts"

/** Calls once and writes down what came of it; one line in the log, one measurement and one span. */
export async function attempt(parts: DeliveringParts, claimed: Claimed): Promise<void> {
  const task = claimed.to === "callback" ? "deliver-callback" : "deliver-webhook"
  const number = claimed.attempts + 1
  const started = performance.now()
  const answered = await inSpan(
    task,
    SpanKind.CONSUMER,
    { "paraph.job": claimed.id, "paraph.attempt": number },
    () => call(parts, claimed),
  )
  parts.pass("callback-made")
  const { firstPauseMs } = parts.deliverySettings
  const attempted = whatFollows(claimed, answered, parts.now(), { firstPauseMs, random: parts.random() })
  await parts.recordAttempt(claimed, attempted)
  const ms = performance.now() - started
  const outcome = answered.delivered ? "done" : "failed"
  parts.metrics.job({ task, outcome }, ms / 1000)
  const { id: job, businessId: business, subjectId: signatureRequest } = claimed
  parts.log.info(
    { task, job, attempt: number, business, signatureRequest, outcome, ms: Math.round(ms) },
    "job",
  )
}

async function call(parts: DeliveringParts, claimed: Claimed): Promise<Answered> {
  try {
    const answer =
      claimed.to === "callback"
        ? await parts.postCallback(claimed.id, claimed.url)
        : await parts.postWebhook(claimed)
    if (answer === null) return { delivered: true, message: "the webhook was removed or stopped" }
    const { status, ...wait } = answer
    return { delivered: status >= 200 && status < 300, message: `answered ${status}`, ...wait }
  } catch (error) {
    if (error instanceof OutboundFailed) return { delivered: false, message: error.message }
    parts.log.error({ error, job: claimed.id }, "fault in a delivery")
    return { delivered: false, message: "Something went wrong on our side." }
  }
}
