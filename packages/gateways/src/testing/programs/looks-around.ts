// For the tests: a child that tries to do what a parser never needs.

import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { answerOnce } from "../../pdf/answer.ts"

answerOnce<null>(() => ({
  value: {
    // biome-ignore lint/style/noProcessEnv: that there is none is what is shown.
    environment: Object.keys(process.env).length,
    secret: attempt(() => readFileSync("/etc/passwd")),
    root: attempt(() => readdirSync("/")),
    write: attempt(() => writeFileSync("/tmp/paraph-looked-around", "x")),
    program: attempt(() => execFileSync("/bin/true")),
    thread: attempt(() => new Worker("0", { eval: true })),
    addon: attempt(() => process.dlopen({ exports: {} }, "/nowhere.node")),
  },
}))

function attempt(deed: () => unknown): string {
  try {
    deed()
    return "done"
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unknown"
  }
}
