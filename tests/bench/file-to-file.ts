// From a file to a file, each time in a fresh process, beside one that only copies, hashes and signs. A process says how
// long it took, start-up not counted, and the most memory it ever had, start-up and Node itself counted.

import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { least, type Spent } from "./fastest.ts"
import type { IdentityFiles } from "./identity-files.ts"
import { fileOf, type Input, SCRATCH } from "./inputs.ts"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export type Process = Spent & { readonly rssBytes: number }

/**
 * `sources`: TypeScript as it lies here, stripped of its types at every start; Node loads a compiler of some 17 MB for it.
 * `built`: one file of JavaScript, as whoever publishes or deploys it would build it.
 */
export type Form = "sources" | "built"

export type FileRow = { readonly bare: Process; readonly paraph: Process }

export function measureFile(input: Input, files: IdentityFiles, form: Form, runs: number): FileRow {
  const programs = { bare: programOf("bare-file", form), paraph: programOf("sign-file", form) }
  const run = (program: string) => runOnce(program, { from: fileOf(input), files })
  const measured: { bare: Process[]; paraph: Process[] } = { bare: [], paraph: [] }
  for (let i = 0; i < runs; i++) {
    measured.bare.push(run(programs.bare))
    measured.paraph.push(run(programs.paraph))
  }
  return { bare: best(measured.bare), paraph: best(measured.paraph) }
}

function programOf(name: string, form: Form): string {
  const source = here(`drivers/${name}.ts`)
  if (form === "sources") return source
  const built = `${SCRATCH}${name}.mjs`
  execFileSync(here("../../node_modules/.bin/rolldown"), [source, "--platform", "node", "-o", built])
  return built
}

function runOnce(program: string, order: object): Process {
  const to = `${SCRATCH}signed.pdf`
  rmSync(to, { force: true })
  const output = execFileSync(process.execPath, [program, JSON.stringify({ ...order, to })])
  rmSync(to)
  return JSON.parse(String(output))
}

// The fastest run, but the hungriest one: the promise is about the most that is ever needed.
function best(processes: readonly Process[]): Process {
  return { ...least(processes), rssBytes: Math.max(...processes.map(({ rssBytes }) => rssBytes)) }
}
