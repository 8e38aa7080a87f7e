// node tests/simulation/main.ts [--seeds 1..1000] [--processes 2] [--plant "…"]
// Runs every seed of the range and says what was broken; one that breaks something is run once more, and every step of it is in
// .stack/simulation. A range can be had in pieces: what a seed does follows from the seed and the sources alone.

import { type ChildProcess, fork } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { simulate } from "./simulate.ts"
import { PLANTS, type Plant } from "./world.ts"

const FOLDER = resolve(import.meta.dirname, "../../.stack/simulation")
const AT_ONCE = 250
const TOLD_EVERY = 5000

type Piece = { readonly from: number; readonly to: number }
type Broken = { readonly seed: number; readonly breaches: readonly string[] }
type Done = Piece & { readonly steps: number; readonly broken: readonly Broken[] }

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1..1000" },
    processes: { type: "string", default: "2" },
    plant: { type: "string" },
    child: { type: "boolean", default: false },
  },
})
const plant = values.plant as Plant | undefined
if (plant !== undefined && !PLANTS.includes(plant)) {
  say(`There is no such plant. There are:\n  ${PLANTS.join("\n  ")}`)
  process.exit(2)
}
if (values.child)
  process.on("message", (piece: Piece) => void work(piece).then((done) => process.send?.(done)))
else await lead()

async function work({ from, to }: Piece): Promise<Done> {
  const broken: Broken[] = []
  let steps = 0
  for (let seed = from; seed <= to; seed += 1) {
    const run = await simulate(seed, plant === undefined ? {} : { plant })
    steps += run.steps
    if (run.breaches.length > 0) broken.push({ seed, breaches: run.breaches })
  }
  return { from, to, steps, broken }
}

async function lead(): Promise<void> {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(values.seeds) ?? []
  if (first === undefined || last === undefined) {
    say("Seeds are given as 1..1000.")
    process.exit(2)
  }
  const range = { from: Number(first), to: Number(last) }
  const begun = performance.now()
  let [next, done, steps, broken] = [range.from, 0, 0, 0]
  const rate = () => ((done * 1000) / (performance.now() - begun)).toFixed(0)
  const take = (): Piece | null => {
    if (next > range.to) return null
    const piece = { from: next, to: Math.min(next + AT_ONCE - 1, range.to) }
    next = piece.to + 1
    return piece
  }
  const told = async (one: Done) => {
    for (const { seed, breaches } of one.broken) await keep(seed, breaches)
    done += one.to - one.from + 1
    steps += one.steps
    broken += one.broken.length
    if (done % TOLD_EVERY < AT_ONCE) say(`${done} seeds, ${broken} with a breach, ${rate()} a second`)
  }
  const processes = Math.max(1, Number(values.processes))
  await Promise.all(Array.from({ length: processes }, () => employ(take, told)))
  say(
    `seeds ${values.seeds}: ${done} runs, ${steps} steps, ${broken} with a breach; ` +
      `${((performance.now() - begun) / 1000).toFixed(0)} s, ${rate()} seeds a second in ${processes} processes`,
  )
  process.exitCode = broken > 0 ? 1 : 0
}

/** One process, piece by piece; one that dies takes the whole run with it. */
function employ(take: () => Piece | null, told: (done: Done) => Promise<void>): Promise<void> {
  const child: ChildProcess = fork(import.meta.filename, [...process.argv.slice(2), "--child"])
  return new Promise((resolve, reject) => {
    const give = () => {
      const piece = take()
      if (piece !== null) return void child.send(piece)
      child.disconnect()
      resolve()
    }
    child.on("message", (done: Done) => void told(done).then(give, reject))
    child.on("exit", (code) => {
      if (code !== 0) reject(new Error(`A process ended with ${code}.`))
    })
    give()
  })
}

async function keep(seed: number, breaches: readonly string[]): Promise<void> {
  const { world } = await simulate(seed, { traced: true, ...(plant !== undefined && { plant }) })
  mkdirSync(FOLDER, { recursive: true })
  const file = join(FOLDER, `seed-${seed}.txt`)
  writeFileSync(file, `${breaches.join("\n")}\n\n${world.schedule.trace.join("\n")}\n`)
  say(
    `seed ${seed}\n  ${breaches.slice(0, 5).join("\n  ")}\n  every step: .stack/simulation/seed-${seed}.txt`,
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
