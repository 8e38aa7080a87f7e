import { readFileSync } from "node:fs"
import { Refusal } from "@paraph/core/refusal"
import { ConfigFaults, loadConfig } from "@paraph/server/config"
import { COMMANDS, type CommandName, commandOf } from "./commands.ts"
import { Failed } from "./failed.ts"
import { helpFor, usage, wholeHelp } from "./help.ts"
import { nearest } from "./nearest.ts"
import { NotUnderstood } from "./not-understood.ts"

/** Each command answers the exit code, and loads what it needs: most are typed by scripts, many times. */
const RUNS: Readonly<Record<CommandName, (words: readonly string[]) => Promise<number>>> = {
  sandbox: async (words) => (await import("./sandbox/command.ts")).sandbox(words),
  dev: async (words) => (await import("./dev.ts")).dev(words),
  send: async (words) => (await import("./send.ts")).send(words),
  status: async (words) => (await import("./status.ts")).status(words),
  sign: async (words) => (await import("./sign/command.ts")).sign(words),
  verify: async (words) => (await import("./verify.ts")).verify(words).catch(notSaid),
  migrate: async (words) => (await import("./migrate.ts")).migrate(loadConfig, words),
  doctor: async (words) => (await import("./doctor.ts")).doctor(loadConfig, words),
  config: async (words) => (await import("./config.ts")).config(words),
  admin: async (words) => (await import("./admin.ts")).admin(loadConfig, words),
  keys: async (words) => (await import("./keys.ts")).keys(loadConfig, words),
  ca: async (words) => (await import("./ca.ts")).ca(loadConfig, words),
  seal: async (words) => (await import("./seal.ts")).seal(loadConfig, words),
  log: async (words) => (await import("./log.ts")).log(loadConfig, words),
  documents: async (words) => (await import("./documents.ts")).documents(loadConfig, words),
  backup: async (words) => (await import("./backup/backup.ts")).backup(loadConfig, words),
  restore: async (words) => (await import("./backup/restore.ts")).restore(loadConfig, words),
  cells: async (words) => (await import("./cells/command.ts")).cells(words),
  export: async (words) => (await import("./export.ts")).exportAll(words),
  completion: async (words) => (await import("./completion/command.ts")).completion(words),
  help: async ([name, act]) => help(name, act),
}

async function main(words: readonly string[]): Promise<number> {
  const [name = "--help", ...rest] = words
  if (name === "--help") return help()
  if (name === "--version") return version()
  if (commandOf(name) === undefined) throw unknown(name)
  if (rest.includes("--help")) return help(name, rest[0])
  if (rest[0] === "help") return help(name, rest[1])
  return RUNS[name as CommandName](rest)
}

function version(): number {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  console.log(version)
  return 0
}

async function help(name?: string, act?: string): Promise<number> {
  if (name === "all") {
    process.stdout.write(await wholeHelp())
    return 0
  }
  const told = name === undefined ? usage() : await helpFor(name, act)
  if (told === null) throw unknown(name ?? "")
  console.log(told)
  return 0
}

function unknown(name: string): NotUnderstood {
  const meant = nearest(name, Object.keys(COMMANDS))
  const perhaps = meant === null ? "" : ` Did you mean ${meant}?`
  return new NotUnderstood(`paraph has no command ${name}.${perhaps} paraph help lists them all.`)
}

/** Whatever goes wrong while files are checked, it does not say that they do not hold. */
function notSaid(error: unknown): number {
  console.error(error instanceof NotUnderstood ? error.message : error)
  return 2
}

/** A sentence where there is one, and otherwise the error with its stack. */
async function faultToldOf(error: unknown): Promise<unknown> {
  const { faultTold } = await import("@paraph/server/fault-told")
  return faultTold(error) ?? error
}

// Whoever reads us may have seen enough, as `| head` has.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
  process.exit(1)
})

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  async (error: unknown) => {
    const told = error instanceof ConfigFaults || error instanceof NotUnderstood || error instanceof Refusal
    console.error(told || error instanceof Failed ? error.message : await faultToldOf(error))
    process.exitCode = told ? 2 : 1
  },
)
