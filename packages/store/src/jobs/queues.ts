import { createHash } from "node:crypto"
import type { QueuedTask } from "@paraph/core/jobs"
import { PgBoss, type QueueOptions, type QueuePolicy } from "pg-boss"

/** The queue lives in the database of the state, so that a change and its jobs are one commit (ADR 0007). */
export const SCHEMA = "jobs"

/** Where pg-boss notifies of new jobs, with the name of their queue; it makes the name of that of the schema. */
export const CHANNEL = `pgboss_${createHash("sha224").update(SCHEMA).digest("hex").slice(0, 24)}`

type Settings = QueueOptions & { readonly policy: QueuePolicy; readonly notify: boolean }

// A worker that dies stops its heartbeat, and the job is given to another one.
const HEARTBEAT = { heartbeatSeconds: 10, expireInSeconds: 900 } as const
// Jobs that wait are kept for longer than any outage; the handlers themselves give up after 72 hours.
const KEPT = { retentionSeconds: 90 * 86_400, retryLimit: 5000, retryBackoff: true } as const

export const QUEUES: Readonly<Record<QueuedTask, Settings>> = {
  "invite-signer": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    ...KEPT,
    retryDelay: 5,
    retryDelayMax: 900,
  },
  "send-mail": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    ...KEPT,
    retryDelay: 5,
    retryDelayMax: 900,
    // The job holds an address and a title: of a deleted request they go with the mail.
    deleteAfterSeconds: 3600,
  },
  "send-code": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    // Whoever waits for it waits for minutes: after that it is worth nothing.
    retentionSeconds: 3600,
    retryLimit: 60,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 30,
    deleteAfterSeconds: 3600,
  },
  "ask-identity-provider": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    // The person may sit before the page; an identification expires after 72 hours without an answer.
    retentionSeconds: 4 * 86_400,
    retryLimit: 1000,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 300,
  },
  "write-to-account": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    ...KEPT,
    retryDelay: 5,
    retryDelayMax: 900,
    // The job holds an address, which may be nobody's account.
    deleteAfterSeconds: 3600,
  },
  "prepare-release": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    // The person looks at the page: after the turn it is worth nothing.
    retentionSeconds: 3600,
    retryLimit: 600,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 15,
    deleteAfterSeconds: 3600,
  },
  "sign-remotely": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    ...KEPT,
    // A release lasts for minutes, and an answer that was lost is asked for again within it.
    retryDelay: 1,
    retryDelayMax: 60,
  },
  "seal-document": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    // Somebody waits for it with an open connection: tried again soon, and given up after a day.
    retentionSeconds: 2 * 86_400,
    retryLimit: 5000,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 60,
  },
  "seal-batch": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    ...KEPT,
    retryDelay: 2,
    retryDelayMax: 300,
  },
  "seal-report": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    // The validation lives for ten minutes, and its report no longer.
    retentionSeconds: 3600,
    retryLimit: 600,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 15,
    deleteAfterSeconds: 3600,
  },
  "seal-protocol": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    // As long as its order counts (request-protocols.ts): then whoever asks orders it anew.
    retentionSeconds: 3600,
    retryLimit: 600,
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 15,
    deleteAfterSeconds: 3600,
  },
  "sign-document": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    ...KEPT,
    retryDelay: 2,
    retryDelayMax: 300,
  },
}

/**
 * By which what is left of an erased request is found (tidy-erased.ts); and the planner keeps no samples of what is in jobs. The
 * stronger lock comes first: of two who are both granted the weaker one, neither would get it.
 */
const FOR_ERASING = `
  alter table ${SCHEMA}.job alter column data set statistics 0, alter column output set statistics 0;
  create index if not exists job_request on ${SCHEMA}.job ((data ->> 'requestId')) where data ->> 'requestId' is not null`

/** Part of `migrate`: the queue's own tables, and one queue per task. */
export async function installQueues(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: SCHEMA,
    supervise: false,
    schedule: false,
    max: 2,
  })
  await boss.start()
  try {
    for (const [name, { policy, ...options }] of Object.entries(QUEUES)) {
      await boss.createQueue(name, { policy, ...options })
      await boss.updateQueue(name, options)
    }
    await boss.getDb().executeSql(FOR_ERASING)
  } finally {
    await boss.stop({ graceful: false })
  }
}
