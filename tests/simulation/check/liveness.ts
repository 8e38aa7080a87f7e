import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { World } from "../world.ts"

/** The longest pause of a queue, and what is done after it. */
const JOB_MS = 3_600_000
/** A receiver may ask for six hours (choice 121), and each of a line for its own. */
const CALL_MS = 24 * 3_600_000

/** I12: once nothing fails any more, everything that was begun comes to its end, and soon. */
export function checkLiveness(world: World, isQuiet: boolean): readonly string[] {
  if (!isQuiet) return ["I12: there is no end to it"]
  const { state, faults, open } = world
  const breaches: string[] = []
  const late = (from: number, endedAt: number, withinMs: number) =>
    endedAt - Math.max(from, faults.until) > withinMs
  for (const { id, job, state: is, createdAt, endedAt } of state.jobs.values()) {
    if (is !== "completed") breaches.push(`I12: ${id} (${job.task}) is still ${is}`)
    else if (late(createdAt, endedAt, JOB_MS)) breaches.push(`I12: ${id} (${job.task}) came late`)
  }
  for (const { id, createdAt, endedAt, state: is } of state.deliveries.values())
    if (is === "COMPLETED" && late(createdAt, endedAt, CALL_MS)) breaches.push(`I12: ${id} came late`)
  for (const request of state.requests.values()) breaches.push(...stuck(world, request))
  if (open.size > 0) breaches.push(`I12: ${open.size} transactions never ended`)
  return breaches
}

function stuck({ schedule }: World, request: SignatureRequest): readonly string[] {
  if (statusOf(request) !== "OPEN") return []
  const expiry = request.expiresAt?.passesAt.getTime() ?? Number.POSITIVE_INFINITY
  const expired = expiry <= schedule.now() ? [`I12: ${request.id} has expired and is OPEN`] : []
  const agreed = request.signatures.filter((s) => s.state === "open" && s.consent !== null)
  return [...expired, ...agreed.map(({ id }) => `I12: ${id} has agreed and no mark is made`)]
}
