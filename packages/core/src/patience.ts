import { LIMITS } from "./limits.ts"

/**
 * Whether what fails is given up: its time is over, and it was tried so often that this is not said by one clock that was days
 * ahead for a moment, nor by hours in which no worker was there. `attempt` counts from 1.
 */
export const isGivenUp = (since: Date, now: Date, patienceMs: number, attempt: number): boolean =>
  now.getTime() - since.getTime() > patienceMs && attempt >= LIMITS.leastAttempts
