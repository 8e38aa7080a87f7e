import { createHash } from "node:crypto"
import type { QueuedJob } from "@paraph/core/jobs"
import type { Kind } from "@paraph/core/signature-request/model"

/**
 * The waiting jobs of one owner in one mode. It is stored as the priority of the job, so that pg-boss fetches the oldest job of a lane
 * by its own index (ADR 0093). Above zero: production. Below zero: demo of the same owner. Zero: a job without a known owner.
 */
export type Lane = number

/** The range of a priority, which is a 32-bit integer; both modes of an owner need a number. */
export const HIGHEST_LANE = 2 ** 31 - 1
export const LOWEST_LANE = -HIGHEST_LANE

export type Owner = { readonly businessId: string; readonly kind: Kind }

/** Two businesses in one lane share its places; with 10,000 businesses the chance of any such pair is about 2 %. */
export function laneOf({ businessId, kind }: Owner): Lane {
  const lane = hash(businessId)
  return kind === "demo" ? -lane : lane
}

/** An email about an account belongs to no business unless it names one. Then each recipient is an owner. */
export const laneOfEmail = (job: Extract<QueuedJob, { task: "write-to-account" }>): Lane =>
  "businessId" in job ? laneOf({ businessId: job.businessId, kind: "production" }) : hash(job.email)

export const modeOf = (lane: Lane): Kind => (lane < 0 ? "demo" : "production")

const hash = (name: string): number =>
  1 + (createHash("sha256").update(name).digest().readUInt32BE() % HIGHEST_LANE)
