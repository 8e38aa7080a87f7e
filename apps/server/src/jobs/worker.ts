import { askIdentityProvider } from "@paraph/core/identification/ask"
import type { QueuedTask as Task } from "@paraph/core/jobs"
import { Refusal } from "@paraph/core/refusal"
import { prepareRelease } from "@paraph/core/release/prepare"
import { performRemoteSigning } from "@paraph/core/remote-key/sign"
import { sealProtocol } from "@paraph/core/report/seal-protocol"
import { performBatch } from "@paraph/core/seal/batch"
import { performSealing } from "@paraph/core/seal/perform"
import { performSigning } from "@paraph/core/signature-request/sign"
import { sealReport } from "@paraph/core/validation/seal-report"
import type { Attempt, Handlers } from "@paraph/store/jobs/jobs"
import { inSpan, SpanKind } from "../telemetry/traces.ts"
import type { WorkerParts } from "../worker-parts.ts"
import { inviteSigner } from "./invite-signer.ts"
import { sendCode } from "./send-code.ts"
import { sendMail } from "./send-mail.ts"
import { startWaking } from "./wake.ts"
import { writeToAccount } from "./write-to-account.ts"

/** One file per task; one line in the log, one measurement and one span per attempt. */
export async function startWorker(parts: WorkerParts): Promise<{ stop: () => Promise<void> }> {
  const waking = startWaking(parts)
  /** What a signature lacked is looked for while it waits. */
  const noting = (error: unknown): never => {
    if (error instanceof Refusal && error.lacks !== undefined) waking.note(error.lacks)
    throw error
  }
  const handlers: Handlers = {
    "invite-signer": observed(parts, (attempt) => inviteSigner(parts, attempt)),
    "send-mail": observed(parts, (attempt) => sendMail(parts, attempt)),
    "send-code": observed(parts, (attempt) => sendCode(parts, attempt)),
    "ask-identity-provider": observed(parts, ({ job }) => askIdentityProvider(parts, job)),
    "prepare-release": observed(parts, ({ job }) => prepareRelease(parts, job).catch(noting)),
    "sign-remotely": observed(parts, ({ job, attempt }) =>
      performRemoteSigning(parts, job, attempt).catch(noting),
    ),
    "seal-document": observed(parts, ({ job, attempt }) => performSealing(parts, job, attempt).catch(noting)),
    "seal-batch": observed(parts, ({ job, attempt }) => performBatch(parts, job, attempt).catch(noting)),
    "seal-report": observed(parts, ({ job }) => sealReport(parts, job).catch(noting)),
    "seal-protocol": observed(parts, ({ job }) => sealProtocol(parts, job).catch(noting)),
    "sign-document": observed(parts, ({ job, attempt }) => performSigning(parts, job, attempt).catch(noting)),
    "write-to-account": observed(parts, (attempt) => writeToAccount(parts, attempt)),
  }
  await parts.jobs.work(handlers, (task, id, error) => parts.log.warn({ task, job: id, error }, "job failed"))
  return { stop: waking.stop }
}

const observed =
  <T extends Task>(parts: WorkerParts, work: (attempt: Attempt<T>) => Promise<void>) =>
  async (attempt: Attempt<T>): Promise<void> => {
    const { id, job, attempt: number } = attempt
    const { task } = job
    const of = "requestId" in job ? { business: job.businessId, signatureRequest: job.requestId } : {}
    const started = performance.now()
    const finish = (outcome: "done" | "failed") => {
      const ms = performance.now() - started
      parts.metrics.job({ task, outcome }, ms / 1000)
      parts.log.info({ task, job: id, attempt: number, ...of, outcome, ms: Math.round(ms) }, "job")
    }
    try {
      await inSpan(task, SpanKind.CONSUMER, { "paraph.job": id, "paraph.attempt": number }, () =>
        work(attempt),
      )
      finish("done")
    } catch (error) {
      finish("failed")
      throw error
    }
  }
