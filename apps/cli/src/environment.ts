import { readFileSync } from "node:fs"
import { NotUnderstood } from "./not-understood.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** The one place of the command line that reads the environment itself; the settings of a service have theirs. */
export const environment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

/** From the variable itself, or from the file that the one with _FILE behind its name names. */
export function secretFrom(env: Environment, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (env[name] || !file) return env[name]
  try {
    return readFileSync(file, "utf8").trim()
  } catch {
    throw new NotUnderstood(`${file} cannot be read.`)
  }
}
