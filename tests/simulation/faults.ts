import type { Random } from "../faults/rig/random.ts"

/** What a process talks to. */
export const PARTS = [
  "database",
  "bucket",
  "pdf",
  "keys",
  "timestamp",
  "revocation",
  "mail",
  "receiver",
] as const
export type Part = (typeof PARTS)[number]

/** Done and told; refused; done, and the answer is lost; and the last two after a long silence. */
export type Outcome = "done" | "refused" | "lost" | "late-refused" | "late-lost"
const FAULTS: readonly Outcome[] = ["refused", "lost", "late-refused", "late-lost"]

type Away = { readonly part: Part; readonly from: number; readonly to: number }

export type Faults = {
  readonly outcome: (part: Part, now: number) => Outcome
  /** Asked at each step of a process. */
  readonly step: (now: number) => "go on" | "die" | "stand still"
  /** Whether a job is given to a second worker while the first one is at it. */
  readonly twice: (now: number) => boolean
  /** From here on everything works. */
  readonly until: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * What goes wrong in one run. Every seed has a weather of its own: which parts are bad, and how bad, how often processes die
 * or stand still, and which parts are away for a while, longer than anything is retried even.
 */
export function drawFaults(random: Random, beginning: number): Faults {
  const until = beginning + random.pick([2 * HOUR, DAY, 5 * DAY, 20 * DAY, 45 * DAY])
  const bad = new Map(
    PARTS.map((part) => [part, random.pick([0, 0, 0.01, 0.05, part === "database" ? 0.08 : 0.3])]),
  )
  const dies = random.pick([0, 0.002, 0.01, 0.03])
  const stands = random.pick([0, 0, 0.002, 0.01])
  const twice = random.pick([0, 0.05, 0.4])
  const away = Array.from({ length: random.pick([0, 0, 1, 2, 3]) }, () => drawAway(random, beginning, until))
  return {
    until,
    outcome: (part, now) => {
      if (now >= until) return "done"
      if (away.some((one) => one.part === part && one.from <= now && now < one.to)) return "refused"
      return random.next() < (bad.get(part) ?? 0) ? random.pick(FAULTS) : "done"
    },
    twice: (now) => now < until && random.next() < twice,
    step: (now) => {
      if (now >= until) return "go on"
      if (random.next() < dies) return "die"
      return random.next() < stands ? "stand still" : "go on"
    },
  }
}

/** Mostly for minutes; now and then for longer than mails, callbacks and signatures are tried. */
function drawAway(random: Random, beginning: number, until: number): Away {
  const part = random.pick(PARTS)
  const from = beginning + random.next() * Math.min(until - beginning, 3 * DAY)
  // Whoever waits for keys tries again every few minutes, and three days of it take long to simulate.
  const isLong = random.next() < (part === "receiver" ? 0.3 : part === "mail" ? 0.1 : 0.02)
  const length = isLong ? 80 * HOUR : random.pick([MINUTE, 10 * MINUTE, HOUR, 6 * HOUR])
  // Without a database every worker asks for it once a second.
  const longest = part === "database" ? HOUR : length
  return { part, from, to: Math.min(from + Math.min(length, longest), until) }
}
