// Every target for a while, two at a time. What is done is on record, so a night that was broken off goes on where it ended.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fuzz } from "./session.ts"
import type { Report } from "./worker.ts"

export type Night = {
  readonly names: readonly string[]
  readonly seconds: number
  readonly seed: number
  readonly together: number
  /** Where it is on record; gone when the night is over. */
  readonly record: string
  readonly corpora?: string
  readonly keep?: string
  /** As soon as a target is done. */
  readonly told: (report: Report) => void
}

/** Of a target that is done. */
export type Row = Pick<Report, "target" | "seed" | "runs" | "accepted" | "ways"> & {
  readonly findings: number
}

/** The rows of all targets, also of those that were done before the night was broken off. */
export async function night(asked: Night): Promise<readonly Row[]> {
  const { names, seconds, together, record } = asked
  const begun = recorded(record)
  // Another length of time is another night.
  const isSame = begun?.seconds === seconds
  const seed = isSame ? begun.seed : asked.seed
  const rows = new Map((isSame ? begun.rows : []).map((row) => [row.target, row]))
  const left = names.filter((name) => !rows.has(name))
  const work = async () => {
    for (let target = left.shift(); target !== undefined; target = left.shift()) {
      const report = await fuzz({ ...limits(asked), target, seed, seconds })
      rows.set(target, rowOf(report))
      note(record, { seed, seconds, rows: [...rows.values()] })
      asked.told(report)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  rmSync(record, { force: true })
  return names.flatMap((name) => rows.get(name) ?? [])
}

const limits = ({ corpora, keep }: Night) => ({
  ...(corpora === undefined ? {} : { corpora }),
  ...(keep === undefined ? {} : { keep }),
})

const rowOf = ({ target, seed, runs, accepted, ways, findings }: Report): Row => ({
  target,
  seed,
  runs,
  accepted,
  ways,
  findings: findings.length,
})

type Recorded = { readonly seed: number; readonly seconds: number; readonly rows: readonly Row[] }

function recorded(file: string): Recorded | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return null
  }
}

function note(file: string, recorded: Recorded): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(recorded))
}

/** As a table for people. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ target, seed, runs, accepted, ways, findings }) => {
    const share = `${Math.round((100 * accepted) / Math.max(1, runs))} %`
    return [target, seed, runs, share, ways, findings].map(String)
  })
  const all = [["target", "seed", "runs", "accepted", "ways", "findings"], ...lines]
  const widths = [0, 1, 2, 3, 4, 5].map((at) => Math.max(...all.map((line) => line[at]?.length ?? 0)))
  const padded = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
  return all.map((line) => line.map(padded).join("  ")).join("\n")
}
