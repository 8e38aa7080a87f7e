import type { CreditAgreement } from "@paraph/core/credits/model"
import type { Parts } from "../../../parts.ts"

type Rows = Parts["operatorRows"]
type Row<T extends keyof Rows> = Awaited<ReturnType<Rows[T]>>
type Each<T extends keyof Rows> = Row<T> extends readonly (infer One)[] ? One : never

const DAY_MS = 86_400_000

export const overview = (seen: Row<"overview">, now: Date) => ({
  queue: seen.queue.map(({ name, waiting, active, failed, oldestSeconds }) => ({
    name,
    waiting,
    active,
    failed,
    oldest_seconds: Math.round(oldestSeconds),
  })),
  /** `resigned` and what is failed of mails: within the last day. */
  deliveries: { open: seen.open, resigned: seen.resigned },
  mails: { waiting: seen.mailsWaiting, failed: seen.mailsFailed },
  storage: { documents: Math.round(seen.documents), database_bytes: seen.databaseBytes },
  certificates: seen.certificates.map(({ name, subject, notAfter }) => ({
    name,
    subject,
    not_after: notAfter.toISOString(),
    days_left: Math.floor((notAfter.getTime() - now.getTime()) / DAY_MS),
  })),
  versions: { node: process.version, postgres: seen.postgres, schema: seen.schema },
})

export const business = (seen: Each<"businesses">) => ({
  id: seen.id,
  name: seen.name,
  created_at: seen.createdAt.toISOString(),
  features: seen.features,
  members: seen.members,
  keys: seen.keys,
  requests30d: seen.requests30d,
  retention_days: seen.retentionDays,
  pending_sender_name: seen.pendingSenderName,
})

export const credits = ({ price, included, validFrom }: CreditAgreement) => ({
  price,
  /** Within a month; null: as many as it likes. */
  included,
  valid_from: validFrom.toISOString(),
})

export const mail = (seen: Each<"mails">) => ({
  id: seen.id,
  at: seen.at.toISOString(),
  type: seen.type,
  channel: seen.channel,
  to: seen.recipient,
  state: seen.state,
  attempts: seen.attempts,
  ...(seen.businessId !== null && { business_id: seen.businessId }),
  ...(seen.error !== null && { error: seen.error }),
})

export const audit = (seen: Each<"audit">) => ({
  id: String(seen.id),
  at: seen.at.toISOString(),
  actor: seen.actor,
  shell_user: seen.shell_user,
  act: seen.act,
  target: seen.target,
  ...(seen.business_id !== null && { business_id: seen.business_id }),
  ...(seen.before !== null && { before: seen.before }),
  ...(seen.after !== null && { after: seen.after }),
})

export const job = (seen: Each<"failedJobs">) => ({
  id: seen.id,
  name: seen.name,
  state: seen.state,
  attempts: seen.attempts,
  created_at: seen.createdAt.toISOString(),
  error: seen.error,
  ...(seen.businessId !== null && { business_id: seen.businessId }),
  ...(seen.nextAttemptAt !== null && { next_attempt_at: seen.nextAttemptAt.toISOString() }),
})
