// What a call asks of PostgreSQL, word for word: taken from the server's own log, so that nothing of ours can leave one out.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { secret } from "../../../scripts/stack/secrets.ts"
import type { Stack } from "../../../scripts/stack/stack.ts"

const run = promisify(execFile)

export type Statement = {
  /** Of the backend that ran it. */
  readonly pid: number
  readonly sql: string
  /** In the order of $1, $2 and so on; null for NULL. */
  readonly parameters: readonly (string | null)[]
}

/** Whatever the server's role asks while `act` runs. Nothing else may be under way. */
export async function statementsOf(
  { dir, services }: Pick<Stack, "dir" | "services">,
  act: () => Promise<unknown>,
): Promise<readonly Statement[]> {
  const superuser = `postgresql://postgres:${await secret(dir, "postgres-superuser")}@127.0.0.1:${services.postgres.port}/postgres`
  const set = async (...settings: readonly string[]) => {
    for (const setting of [...settings, "select pg_reload_conf()"])
      await run("psql", ["-X", "-q", "-c", setting, superuser])
    // A backend reads its settings anew when its next statement comes.
    await pause(300)
  }
  const file = join(dir, "log", "postgres.log")
  await set(
    "alter system set log_line_prefix = '%p %u|'",
    "alter system set log_parameter_max_length = -1",
    "alter system set log_statement = 'all'",
  )
  const from = readFileSync(file).length
  await act()
  await pause(200)
  const text = readFileSync(file).subarray(from).toString()
  await set(
    "alter system reset log_statement",
    "alter system reset log_line_prefix",
    "alter system reset log_parameter_max_length",
  )
  return readLog(text)
}

const ENTRY = /^(\d+) paraph_server\|(LOG|DETAIL): {2}(?:(?:execute [^:]*|statement): |parameters: )/

/** Lines of one entry that go on begin with a tabulator. */
export function readLog(text: string): readonly Statement[] {
  const found: Statement[] = []
  for (const entry of text.replaceAll("\n\t", "\u0000").split("\n")) {
    const match = ENTRY.exec(entry)
    if (match === null) continue
    const rest = entry.slice(match[0].length).replaceAll("\u0000", "\n")
    const last = found.at(-1)
    if (match[2] === "LOG") found.push({ pid: Number(match[1]), sql: rest, parameters: [] })
    else if (last !== undefined) found[found.length - 1] = { ...last, parameters: readParameters(rest) }
  }
  return found
}

function readParameters(text: string): readonly (string | null)[] {
  return [...text.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  )
}
