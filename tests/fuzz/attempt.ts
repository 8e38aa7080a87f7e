// One input on one target, and what came of it.

import type { Target } from "./target.ts"

/** Longer than any input of our size may take; on a busy machine a finding is measured again before it counts. */
export const MAX_MS = 1_000
export const MAX_GROWTH_BYTES = 134_217_728
// To fill that much memory takes longer than this; asking for it costs more than most inputs.
const WORTH_ASKING_MS = 5

let resident = process.memoryUsage.rss()

export type Finding = {
  readonly kind: "exception" | "property" | "slow" | "memory" | "hang" | "crash"
  /** The same for two inputs that show the same fault. */
  readonly key: string
  readonly detail: string
}

export type Outcome = {
  /** A word that is the same where the reader went the same way; a new one makes an input worth keeping. */
  readonly way: string
  readonly accepted: boolean
  readonly finding?: Finding
}

export async function attempt(target: Target, input: Uint8Array): Promise<Outcome> {
  const begun = performance.now()
  let outcome: Outcome
  try {
    const result = target.run(input)
    const value = result instanceof Promise ? await result : result
    outcome = { way: `accepted ${typeof value === "string" ? value : ""}`, accepted: true }
  } catch (error) {
    outcome = judge(target, error)
  }
  if (outcome.finding !== undefined) return outcome
  const ms = performance.now() - begun
  if (ms > MAX_MS) return { ...outcome, finding: finding("slow", "slow", `${Math.round(ms)} ms`) }
  const growth = ms > WORTH_ASKING_MS ? grownBy() : 0
  if (growth > MAX_GROWTH_BYTES)
    return { ...outcome, finding: finding("memory", "memory", `${growth >> 20} MB more`) }
  return outcome
}

// Since it was asked last, which may be many inputs ago; so a finding must show again right after.
function grownBy(): number {
  const before = resident
  resident = process.memoryUsage.rss()
  return resident - before
}

function judge(target: Target, error: unknown): Outcome {
  if (!(error instanceof Error)) {
    const detail = `Something was thrown that is no error: ${String(error)}`
    return { way: detail, accepted: false, finding: finding("exception", "no error", detail) }
  }
  const way = `${error.name} ${withoutQuoted(error.message).slice(0, 200)}`
  if (target.refusals.some((refusal) => error instanceof refusal)) return { way, accepted: false }
  const place = placeOf(error)
  if (error.name === "Broken") return { way, accepted: false, finding: finding("property", way, way) }
  const detail = `${error.name}: ${error.message}\n${error.stack ?? ""}`
  return { way, accepted: false, finding: finding("exception", `${error.name} ${place}`, detail) }
}

// Messages may quote the input, and it would be a new way each time.
function withoutQuoted(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"?/g, '""').replace(/\d+/g, "#")
}

// The innermost place in our own sources: the message may quote the input.
function placeOf({ stack = "" }: Error): string {
  return /packages\/[\w./-]+:\d+/.exec(stack)?.[0] ?? stack.split("\n")[1]?.trim() ?? ""
}

function finding(kind: Finding["kind"], key: string, detail: string): Finding {
  return { kind, key: `${kind} ${key}`, detail }
}
