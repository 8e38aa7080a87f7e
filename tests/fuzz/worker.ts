// The loop, in a thread that its parent can end: a reader that hangs never comes back to say so. The input of the moment
// lies in shared memory, where the parent finds it.

import { parentPort, workerData } from "node:worker_threads"
import { attempt, type Finding } from "./attempt.ts"
import { type KeptInputs, openKept } from "./kept.ts"
import { minimise, minimiseDer } from "./minimise.ts"
import { mutate } from "./mutate.ts"
import { newRandom, type Random, seedOf } from "./random.ts"
import type { Target } from "./target.ts"
import { targetNamed } from "./targets.ts"

export type Order = {
  readonly target: string
  readonly seed: number
  readonly seconds: number
  /** None is as many as the seconds allow. */
  readonly runs?: number
  readonly corpora?: string
  /** A folder of inputs that went a new way in an earlier run; those of this one are added. */
  readonly keep?: string
  /** After so many it ends. */
  readonly maxFindings?: number
  /** Just this one, unchanged. */
  readonly input?: Uint8Array
  /** [0] counts up before and after each input, [1] is the length of the input. */
  readonly state: Int32Array
  readonly current: Uint8Array
}

export type Found = Finding & { readonly input: Uint8Array }

export type Report = {
  readonly target: string
  readonly seed: number
  readonly runs: number
  readonly accepted: number
  /** How many different ways the reader went. */
  readonly ways: number
  readonly findings: readonly Found[]
}

const MAX_KEPT = 2_000
/** Some readers repeat the input in what they say; those that were taken are to have room beside. */
const MAX_REFUSED = 500
const MAX_FINDINGS = 20

async function work(order: Order): Promise<Report> {
  const target = await targetNamed(order.target)
  const watched = watch(target, order)
  if (order.input !== undefined) return once(order, watched, order.input)
  const pool = [...(await target.seeds())]
  if (order.corpora !== undefined) pool.push(...(target.corpus?.(order.corpora) ?? []))
  const earlier = order.keep === undefined ? null : openKept(order.keep, target.name)
  pool.push(...(earlier?.inputs ?? []))
  return loop(order, target, watched, pool, earlier)
}

type Watched = (input: Uint8Array) => ReturnType<typeof attempt>

function watch(target: Target, { state, current }: Order): Watched {
  return async (input) => {
    current.set(input.subarray(0, current.length))
    state[1] = input.length
    Atomics.add(state, 0, 1)
    const outcome = await attempt(target, input)
    Atomics.add(state, 0, 1)
    return outcome
  }
}

async function once(order: Order, watched: Watched, input: Uint8Array): Promise<Report> {
  const { finding, accepted } = await watched(input)
  const findings = finding === undefined ? [] : [{ ...finding, input }]
  return { ...order, runs: 1, accepted: accepted ? 1 : 0, ways: 1, findings }
}

async function loop(
  order: Order,
  target: Target,
  watched: Watched,
  pool: Uint8Array[],
  earlier: KeptInputs | null,
): Promise<Report> {
  const random = newRandom(seedOf(target.name, order.seed))
  const isOver = timeLimit(order.seconds * 1000)
  const ways = new Set<string>()
  const findings = new Map<string, Found>()
  const given = pool.length
  const kept: Kept = { accepted: [], refused: [] }
  let accepted = 0
  let runs = 0
  while (
    runs < (order.runs ?? Number.POSITIVE_INFINITY) &&
    findings.size < (order.maxFindings ?? MAX_FINDINGS)
  ) {
    if ((runs & 15) === 0 && isOver()) break
    // Every seed comes first as it is: a finding in an honest file counts twice.
    const input = pool[runs] ?? mutate(target, parentOf(pool, kept, random), pool, random)
    runs += 1
    const { way, finding, ...outcome } = await watched(input)
    if (outcome.accepted) accepted += 1
    if (finding !== undefined) {
      if (!findings.has(finding.key) && (await repeats(watched, input, finding)))
        findings.set(finding.key, { ...finding, input: await smallest(target, watched, input, finding) })
    } else {
      const alike = kept[outcome.accepted ? "accepted" : "refused"]
      const isNew = !ways.has(way) && alike.length < (outcome.accepted ? MAX_KEPT : MAX_REFUSED)
      if (isNew && runs > given) alike.push(input)
      // A seed is there in any case.
      if (runs > given && (isNew || ways.has(way))) earlier?.note(way, input, isNew)
    }
    ways.add(way)
  }
  // Not every input of before may have had its turn.
  if (runs >= given) earlier?.end(ways)
  const { target: name, seed } = order
  return { target: name, seed, runs, accepted, ways: ways.size, findings: [...findings.values()] }
}

/** CPU time of this thread, so that a busy machine does not leave too few runs; three times as long where a target waits. */
function timeLimit(ms: number): () => boolean {
  const started = performance.now()
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000 > ms || performance.now() - started > 3 * ms
  }
}

/** Inputs that went a new way. */
type Kept = { readonly accepted: Uint8Array[]; readonly refused: Uint8Array[] }

// A child of a refused input is mostly refused for the same reason, so few are tried.
function parentOf(pool: readonly Uint8Array[], { accepted, refused }: Kept, random: Random): Uint8Array {
  if (accepted.length > 0 && random.chance(0.3)) return random.pick(accepted)
  return refused.length > 0 && random.chance(0.1) ? random.pick(refused) : random.pick(pool)
}

// Somebody else's work may have made one input slow, and the garbage of many may have been counted for one.
async function repeats(watched: Watched, input: Uint8Array, { key }: Finding): Promise<boolean> {
  const again = await watched(input)
  return again.finding?.key === key && (await watched(input)).finding?.key === key
}

async function smallest(
  target: Target,
  watched: Watched,
  input: Uint8Array,
  { key }: Finding,
): Promise<Uint8Array> {
  const shows = async (candidate: Uint8Array) => (await watched(candidate)).finding?.key === key
  return minimise(target.kind === "der" ? await minimiseDer(input, shows) : input, shows)
}

parentPort?.postMessage(await work(workerData as Order))
