// The very statements of a call, run by pgbench: what PostgreSQL does of it in a second when nobody stands before it.
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { postgresBin } from "../../../scripts/stack/postgres.ts"
import type { Statement } from "./statements.ts"

const run = promisify(execFile)
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The transactions among these, each from its beginning to its commit. */
export function transactionOf(statements: readonly Statement[]): readonly Statement[] {
  const first = statements.findIndex(({ sql }) => sql.startsWith("start transaction"))
  const last = statements.findLastIndex(({ sql }) => sql === "commit")
  if (first < 0 || last < first) throw new Error("There is no transaction in this.")
  return statements.slice(first, last + 1)
}

/**
 * A script of them, as two calls of one kind made them: what differs between the two are the ids that each call makes, and so does
 * each run of the script.
 */
export function scriptOf(one: readonly Statement[], other: readonly Statement[]): string {
  const known = new Set(uuidsIn(other))
  const fresh = new Map(
    [...new Set(uuidsIn(one))].filter((id) => !known.has(id)).map((id, n) => [id, `u${n}`] as const),
  )
  const made = [...fresh.values()].map((name) => `gen_random_uuid() as ${name}`).join(", ")
  const lines = one.map(
    ({ sql, parameters }) => `${withValues(sql, parameters, fresh).replaceAll(/\s+/g, " ")};`,
  )
  return [`select ${made} \\gset`, ...lines, ""].join("\n")
}

const uuidsIn = (statements: readonly Statement[]): readonly string[] =>
  statements.flatMap(({ parameters }) => parameters.flatMap((value) => value?.match(UUID) ?? []))

function withValues(
  sql: string,
  parameters: readonly (string | null)[],
  fresh: ReadonlyMap<string, string>,
): string {
  const written = parameters.map((value) => (value === null ? "null" : literalOf(value, fresh)))
  return withoutComments(sql).replaceAll(/\$(\d+)/g, (_, n) => written[Number(n) - 1] ?? "null")
}

const withoutComments = (sql: string) => sql.replaceAll(/--[^\n]*/g, "").replaceAll(/\/\*.*?\*\//gs, "")

/** pgbench takes a colon and a word for one of its variables wherever they stand. */
function literalOf(value: string, fresh: ReadonlyMap<string, string>): string {
  const whole = fresh.get(value)
  if (whole !== undefined) return `:${whole}::uuid`
  const text = `E'${value.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\x3a").replaceAll("\n", "\\n")}'`
  const within = [...new Set(value.match(UUID) ?? [])].flatMap((id) => {
    const name = fresh.get(id)
    return name === undefined ? [] : [{ id, name }]
  })
  return within.reduce((made, { id, name }) => `replace(${made}, '${id}', :${name}::text)`, text)
}

export type Bare = { readonly aSecond: number }

/** With statements that are planned once, as nobody could do it faster. */
export async function pgbench(url: string, script: string, atOnce: number, seconds: number): Promise<Bare> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-pgbench-"))
  try {
    const file = join(folder, "script.sql")
    await writeFile(file, script)
    const options = [
      "-n",
      "-M",
      "prepared",
      "-c",
      String(atOnce),
      "-j",
      "2",
      "-T",
      String(seconds),
      "-f",
      file,
    ]
    const { stdout, stderr } = await run(join(await postgresBin(), "pgbench"), [...options, url])
    const [, tps] = /tps = ([\d.]+)/.exec(stdout) ?? []
    if (tps === undefined || /failed transactions: [1-9]/.test(stdout) || stderr.includes("aborted"))
      throw new Error(`pgbench: ${stdout}${stderr}`)
    return { aSecond: Number(tps) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
