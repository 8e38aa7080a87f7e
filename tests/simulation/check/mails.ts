import { LIMITS } from "@paraph/core/limits"
import { statusOf } from "@paraph/core/signature-request/model"
import type { JobRow } from "../store/tables.ts"
import type { World } from "../world.ts"

/** I8: whoever was to be written to was, or it is known why not; nobody else was. */
export function checkMails(world: World): readonly string[] {
  const { records } = world
  const breaches = records.mails.flatMap(({ messageId, isCommitted, signatureId, requestId }) => [
    ...(isCommitted ? [] : [`I8: ${messageId} is about ${requestId}, which was never committed`]),
    ...(signatureId === "unknown" ? [`I8: the link in ${messageId} is on no record`] : []),
  ])
  return [...breaches, ...checkInvited(world), ...checkLetters(world), ...checkReminders(world)]
}

const jobsOf = ({ state }: World): readonly JobRow[] => [...state.jobs.values()]

/** One job for each who was invited, and a mail for each who is still asked to sign. */
function checkInvited(world: World): readonly string[] {
  const invited = new Map<string, number>()
  for (const { job } of jobsOf(world))
    if (job.task === "invite-signer" && job.letter === "invitation")
      invited.set(job.signatureId, (invited.get(job.signatureId) ?? 0) + 1)
  const written = new Set(world.records.mails.map((mail) => mail.signatureId))
  const failed = new Set(
    [...world.state.evidence.values()].flatMap((one) =>
      one.type === "signature.invitation-failed" ? [one.signatureId] : [],
    ),
  )
  const breaches: string[] = []
  const known = new Set<string>()
  for (const { after } of world.records.changes)
    for (const s of after?.signatures ?? []) if (s.invitedAt !== null) known.add(s.id)
  for (const id of known)
    if (invited.get(id) !== 1) breaches.push(`I8: ${id} is invited by ${invited.get(id) ?? 0} jobs`)
  for (const request of world.state.requests.values())
    for (const { id, state, invitedAt } of statusOf(request) === "OPEN" ? request.signatures : [])
      if (state === "open" && invitedAt !== null && !written.has(id) && !failed.has(id))
        breaches.push(`I8: ${id} was never written to`)
  return breaches
}

/** What has become of a request is told, also of one that is gone; 72 hours are tried. */
function checkLetters(world: World): readonly string[] {
  const sent = new Set(world.records.mails.map((mail) => mail.messageId))
  return jobsOf(world).flatMap(({ id, job, createdAt, endedAt }) => {
    if (job.task !== "send-mail" || job.told.letter === "expiring-soon") return []
    const isTried = endedAt - createdAt >= LIMITS.mailRetryMs || world.records.refused.has(id)
    return sent.has(id) || isTried ? [] : [`I8: the letter ${id} (${job.told.letter}) was never sent`]
  })
}

/** Part 8: one reminder per signer per hour. */
function checkReminders(world: World): readonly string[] {
  const reminders = jobsOf(world).flatMap(({ job, createdAt }) =>
    job.task === "invite-signer" && job.letter === "reminder" ? [{ of: job.signatureId, createdAt }] : [],
  )
  return [...Map.groupBy(reminders, ({ of }) => of)].flatMap(([of, all]) => {
    const times = all.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b)
    // The time of a reminder is taken before its row is written, which takes a moment.
    const isTooSoon = times.some(
      (time, n) => n > 0 && time - (times[n - 1] ?? 0) < LIMITS.reminderEveryMs - 60_000,
    )
    return isTooSoon ? [`I8: ${of} was reminded twice within the hour`] : []
  })
}
