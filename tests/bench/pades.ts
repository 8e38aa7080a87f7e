// `npm run bench:pades`: what signing costs beyond what nobody can save, and what it costs elsewhere. The ratios compare
// processor time of the same run, so they hold on any machine; the milliseconds do not.

import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { askProgram, type Job, PROGRAM_NAMES } from "./beside.ts"
import type { Effort, Spent } from "./fastest.ts"
import { type Form, measureFile } from "./file-to-file.ts"
import { type KeyKind, writeIdentity } from "./identity.ts"
import type { IdentityFiles } from "./identity-files.ts"
import { measureInMemory } from "./in-memory.ts"
import { INPUTS, type Input, removeScratch } from "./inputs.ts"
import { measureTwenty } from "./twenty.ts"

type Row = {
  readonly what: string
  readonly file: string
  readonly key: KeyKind
  readonly program: string
  readonly clockMs?: number
  readonly processorMs?: number
  /** Of processor time. */
  readonly timesBare?: number
  readonly peakBytes?: number
  /** What was promised of this row. */
  readonly promises?: readonly { readonly promise: string; readonly kept: boolean }[]
  readonly error?: string
}

const MOST_BYTES = 64_000_000

const isQuick = process.argv.includes("--quick")
const keys: Record<KeyKind, IdentityFiles> = {
  "RSA-2048": await writeIdentity("RSA-2048"),
  "P-256": await writeIdentity("P-256"),
}
const inputs: readonly Input[] = isQuick
  ? [INPUTS.small, INPUTS.ten]
  : [INPUTS.small, INPUTS.ten, INPUTS.hundred, INPUTS.tenMany, INPUTS.hundredMany]

process.on("exit", removeScratch)
const start = performance.now()
const rows = [...(await inMemory()), ...fileToFile(), ...(await twenty())]
console.table(rows.map(printed))
const seconds = Math.round((performance.now() - start) / 1_000)
const report = fileURLToPath(new URL("../../.stack/bench-pades.json", import.meta.url))
writeFileSync(
  report,
  `${JSON.stringify({ at: new Date(), node: process.version, seconds, rows }, null, 2)}\n`,
)
console.log(`${seconds} s; the figures are in .stack/bench-pades.json.`)

async function inMemory(): Promise<readonly Row[]> {
  const ours: Row[] = []
  const bare = new Map<string, Spent>()
  for (const input of inputs)
    for (const key of ["RSA-2048", "P-256"] as const) {
      const measured = await measureInMemory(input, key, keys[key], effortFor(input))
      bare.set(`${input.name} ${key}`, measured.bare)
      const about = { what: "in memory", file: input.name, key }
      const tail = timed({ ...about, program: "Paraph, the tail" }, measured.tail, measured.bare)
      const promises = [{ promise: "at most 1.5 × bare", kept: tail.timesBare <= 1.5 }]
      ours.push(
        timed({ ...about, program: "bare: SHA-256 and sign" }, measured.bare, measured.bare),
        input.bytes < 10_000_000 ? tail : { ...tail, promises },
        timed({ ...about, program: "Paraph, the whole file" }, measured.whole, measured.bare),
      )
    }
  return [...ours, ...(await besideInMemory(bare))]
}

// The key matters only where the file is small.
async function besideInMemory(bare: ReadonlyMap<string, Spent>): Promise<readonly Row[]> {
  const jobs: (Job & { readonly key: KeyKind })[] = [
    { input: INPUTS.small, key: "P-256", files: keys["P-256"], effort: effortFor(INPUTS.small) },
    ...inputs.map((input) => ({
      input,
      key: "RSA-2048" as const,
      files: keys["RSA-2048"],
      effort: effortFor(input),
    })),
  ]
  const rows: Row[] = []
  for (const program of PROGRAM_NAMES) {
    const answers = await askProgram(program, jobs)
    for (const [i, { input, key }] of jobs.entries()) {
      const answer = answers[i] ?? { error: "It gave no answer." }
      const about = { what: "in memory", file: input.name, key, program }
      const beside = bare.get(`${input.name} ${key}`)
      if ("error" in answer) rows.push({ ...about, error: answer.error })
      else if (beside !== undefined) rows.push(timed(about, answer, beside))
    }
  }
  return rows
}

function fileToFile(): readonly Row[] {
  const input = INPUTS.largest
  const forms: readonly (readonly [Form, string])[] = [
    ["sources", "TypeScript sources"],
    ["built", "one JavaScript file"],
  ]
  return forms.flatMap(([form, words]) => {
    const { bare, paraph } = measureFile(input, keys["RSA-2048"], form, isQuick ? 3 : 9)
    const about = { what: "file to file", file: input.name, key: "RSA-2048" } as const
    const ours = timed({ ...about, program: `Paraph, ${words}` }, paraph, bare)
    return [
      { ...timed({ ...about, program: `bare, ${words}` }, bare, bare), peakBytes: bare.rssBytes },
      {
        ...ours,
        peakBytes: paraph.rssBytes,
        promises: [
          { promise: "at most 1.2 × bare", kept: ours.timesBare <= 1.2 },
          { promise: "at most 64 MB", kept: paraph.rssBytes <= MOST_BYTES },
        ],
      },
    ]
  })
}

async function twenty(): Promise<readonly Row[]> {
  const input = isQuick ? INPUTS.ten : INPUTS.hundred
  const measured = await measureTwenty(input, keys["RSA-2048"], effortFor(input))
  const about = { what: `${measured.signatures} signatures`, file: input.name, key: "RSA-2048" } as const
  const { bare, digest, firstSignature, furtherSignature } = measured
  const digested = timed({ ...about, program: "Paraph, all digested again" }, digest, bare)
  return [
    timed({ ...about, program: "bare: one SHA-256" }, bare, bare),
    { ...digested, promises: [{ promise: "one pass", kept: digested.timesBare <= 1.5 }] },
    timed({ ...about, program: "Paraph, the first signature" }, firstSignature, bare),
    timed({ ...about, program: "Paraph, each further one (median)" }, furtherSignature, bare),
  ]
}

function effortFor({ bytes }: Input): Effort {
  if (bytes < 1_000_000) return { runs: 300, seconds: isQuick ? 1 : 3 }
  return { runs: bytes < 20_000_000 ? 50 : 15, seconds: isQuick ? 2 : 5 }
}

function timed(row: Row, { clockMs, processorMs }: Spent, bare: Spent): Row & { readonly timesBare: number } {
  return { ...row, clockMs, processorMs, timesBare: processorMs / bare.processorMs }
}

function printed(row: Row): Record<string, string> {
  const { clockMs, processorMs, timesBare, peakBytes, promises = [], error } = row
  return {
    what: row.what,
    file: row.file,
    key: row.key,
    program: row.program,
    "clock ms": error ?? clockMs?.toFixed(2) ?? "",
    "processor ms": processorMs?.toFixed(2) ?? "",
    "× bare": timesBare?.toFixed(2) ?? "",
    "peak MB": peakBytes === undefined ? "" : (peakBytes / 1e6).toFixed(1),
    promised: promises.map(({ promise, kept }) => `${promise}: ${kept ? "kept" : "NOT KEPT"}`).join("; "),
  }
}
