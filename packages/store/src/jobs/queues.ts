import type { Task } from "@paraph/core/jobs"
import { PgBoss, type QueueOptions, type QueuePolicy } from "pg-boss"

/** The queue lives in the database of the state, so that a change and its jobs are one commit (ADR 0007). */
export const SCHEMA = "jobs"

type Settings = QueueOptions & { readonly policy: QueuePolicy; readonly notify: boolean }

// A worker that dies stops its heartbeat, and the job is given to another one.
const HEARTBEAT = { heartbeatSeconds: 10, expireInSeconds: 900 } as const
const THREE_DAYS_SECONDS = 72 * 3600

export const QUEUES: Readonly<Record<Task, Settings>> = {
  "invite-signer": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    retryLimit: 300,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 900,
    retentionSeconds: 2 * THREE_DAYS_SECONDS,
  },
  "sign-document": {
    policy: "standard",
    notify: true,
    ...HEARTBEAT,
    retryLimit: 1000,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    retentionSeconds: 2 * THREE_DAYS_SECONDS,
  },
  // In order per request. The handler records "gave up" and returns on its own: a head that fails for good would
  // hold back its followers.
  "deliver-callback": {
    policy: "key_strict_fifo",
    notify: true,
    ...HEARTBEAT,
    retryLimit: 1000,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 3600,
    retentionSeconds: 2 * THREE_DAYS_SECONDS,
  },
}

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
  } finally {
    await boss.stop({ graceful: false })
  }
}
