// One seed: a rig, people who use it, so many faults, and then the question whether anything was lost.
import { cp, mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { run } from "../../../scripts/stack/process.ts"
import { dumpWords } from "../../service/service.ts"
import { checkAnswers } from "./check/answers.ts"
import type { Breach } from "./check/breach.ts"
import { checkDeliveries, checkMails } from "./check/deliveries.ts"
import { checkDocuments } from "./check/documents.ts"
import { checkHistories, checkKeeping, checkTalk } from "./check/keeping.ts"
import { type Clients, startClients } from "./clients.ts"
import { dataFaults } from "./inject/data.ts"
import { databaseFaults } from "./inject/database.ts"
import type { Fault } from "./inject/fault.ts"
import { networkFaults } from "./inject/network.ts"
import { processFaults } from "./inject/processes.ts"
import { createRandom, type Random } from "./random.ts"
import { type Rig, startRig } from "./rig.ts"
import { collect, settle, sweepObjects } from "./settle.ts"

export const FAULTS: readonly Fault[] = [...processFaults, ...databaseFaults, ...networkFaults, ...dataFaults]

export type Options = {
  readonly seed: number
  readonly faults: number
  /** Of these kinds only; all where there is none. */
  readonly only: readonly string[]
  readonly clients: number
  /** How many faults at once, at most. */
  readonly lanes: number
  /** The pause after each fault; next to none without it. */
  readonly everySeconds?: number
  /** Who promotes; the rig itself without it. */
  readonly patroni?: boolean
  readonly say: (line: string) => void
}

export type Outcome = {
  readonly seed: number
  readonly faults: Readonly<Record<string, number>>
  readonly breaches: readonly Breach[]
  readonly stories: number
  readonly signed: number
  readonly callbacks: number
  readonly mails: number
  readonly calls: number
  /** Of the calls, those that had no good answer within thirty seconds. */
  readonly given_up: number
  readonly slowest_ms: number
  readonly settled_ms: number
  readonly seconds: number
}

export async function runSeed(options: Options): Promise<Outcome> {
  const started = performance.now()
  const random = createRandom(options.seed)
  const rig = await startRig({ patroni: options.patroni ?? false })
  try {
    const clients = startClients(rig, random.fork("clients"), options.clients)
    const breaches: Breach[] = []
    await pause(3_000)
    const faults = await injectAll(rig, random.fork("faults"), options, breaches)
    options.say("the faults are over")
    await clients.stop()
    options.say("the stories are over")
    const calls = [...rig.journal.calls]
    const settled_ms = await settle(rig, breaches)
    options.say(`settled after ${settled_ms} ms`)
    const counted = await checkAll(rig, clients, breaches, options.say)
    if (breaches.length > 0) options.say(`what was there lies in ${await keepTraces(rig, options.seed)}`)
    return {
      ...{ seed: options.seed, faults, breaches, ...counted, settled_ms },
      calls: calls.length,
      given_up: calls.filter(({ done }) => !done).length,
      slowest_ms: calls.reduce((most, { ms }) => Math.max(most, ms), 0),
      seconds: Math.round((performance.now() - started) / 1000),
    }
  } finally {
    await rig.close()
  }
}

/** For whoever looks for the cause: what the processes said, what the clients were told, and every row. */
async function keepTraces(rig: Rig, seed: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `paraph-breach-${seed}-`))
  await writeFile(join(folder, "log.jsonl"), rig.fleet.logs())
  await cp(join(rig.dir, "journal.jsonl"), join(folder, "journal.jsonl"))
  await run("pg_dump", [
    "--inserts",
    "--file",
    join(folder, "rows.sql"),
    ...dumpWords(rig.env.DATABASE_OWNER_URL),
  ])
  return folder
}

/** Everything that must hold, from outside; what does not is added to the breaches. */
export async function checkAll(rig: Rig, clients: Clients, breaches: Breach[], say: (line: string) => void) {
  const found = await checkAnswers(rig, clients, breaches)
  await collect(rig, found)
  say("what was owed is collected")
  const callbacks = await checkDeliveries(rig, found, breaches)
  const mails = await checkMails(rig, found, breaches)
  const signed = await checkDocuments(rig, clients, found, breaches)
  say(`${signed} documents are judged`)
  await checkHistories(rig, breaches)
  await sweepObjects(rig)
  await checkKeeping(rig, breaches)
  checkTalk(rig, breaches)
  return { stories: found.length, signed, callbacks, mails }
}

/** Several at once, each kind once: most of the time two or three parts misbehave together (F22). */
async function injectAll(
  rig: Rig,
  random: Random,
  options: Options,
  breaches: Breach[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const kinds = FAULTS.filter(({ id }) => options.only.length === 0 || options.only.includes(id))
  const running = new Set<Fault>()
  let injected = 0
  const count = (id: string) => {
    counts[id] = (counts[id] ?? 0) + 1
  }
  const lane = async (number: number) => {
    const own = random.fork(`lane ${number}`)
    while (injected < options.faults) {
      const fault = draw(kinds, own, running)
      const begun = performance.now()
      const others = fault === undefined ? 0 : running.size
      const told =
        fault === undefined ? null : await held(running, fault, () => inject(rig, fault, own, breaches))
      if (fault !== undefined && told !== null) {
        injected += 1
        count(fault.id)
        if (others > 0) count("F22")
        const took = Math.round(performance.now() - begun)
        options.say(`${injected} ${fault.id} ${fault.name}: ${told} (${took} ms, beside ${others} others)`)
      }
      await pause(options.everySeconds === undefined ? own.between(50, 400) : options.everySeconds * 1000)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, (_, number) => lane(number)))
  return counts
}

async function held<T>(running: Set<Fault>, fault: Fault, work: () => Promise<T>): Promise<T> {
  running.add(fault)
  try {
    return await work()
  } finally {
    running.delete(fault)
  }
}

async function inject(rig: Rig, fault: Fault, random: Random, breaches: Breach[]): Promise<string | null> {
  try {
    return await fault.inject(rig, random)
  } catch (error) {
    const { message } = error as Error
    breaches.push({ invariant: "I12", what: `${fault.id}: ${message}` })
    return `FOUND ${message}`
  }
}

/** By weight, of those that do not stand in each other's way. */
function draw(kinds: readonly Fault[], random: Random, running: ReadonlySet<Fault>): Fault | undefined {
  const isFree = (one: Fault) =>
    [...running].every(({ id, ofDatabase }) => id !== one.id && !(ofDatabase && one.ofDatabase))
  const free = kinds.filter(isFree)
  let at = random.next() * free.reduce((sum, { weight }) => sum + weight, 0)
  for (const kind of free) {
    at -= kind.weight
    if (at < 0) return kind
  }
  return undefined
}
