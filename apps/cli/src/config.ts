import { accessSync, constants } from "node:fs"
import { type Config, ConfigFaults, loadConfig, SETTINGS } from "@paraph/server/config"
import { transportsOf } from "@paraph/server/transport"
import { COMMANDS } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { print } from "./printed.ts"
import { typed } from "./synopsis.ts"

/** `paraph config`: what the settings are, and whether those of the environment can be used. */
export async function config(words: readonly string[]): Promise<number> {
  const acts = await COMMANDS.config.acts()
  if (words[0] === "docs") {
    typed(acts.docs.usage, words.slice(1))
    console.log(settingsTable())
    return 0
  }
  if (words[0] !== "check") throw new NotUnderstood("paraph config: check, docs")
  const { values } = typed(acts.check.usage, words.slice(1))
  const faults = faultsOf()
  const said = faults === null ? "The configuration is usable." : faults
  const lines = faults?.split("\n").slice(1) ?? []
  const plain = faults === null ? plainOf() : []
  print(
    {
      value: { usable: faults === null, faults: lines.map((line) => line.trim()) },
      words: [said, ...plain].join("\n"),
    },
    values.json === true,
  )
  return faults === null ? 0 : 1
}

/** What is in use without TLS; outside of production that is no fault. */
const plainOf = (): readonly string[] =>
  transportsOf(loadConfig())
    .filter(({ protection }) => protection === "none")
    .map(
      ({ connection, setting, instead }) => `Plain: ${connection} (${setting}). To protect it, ${instead}.`,
    )

function faultsOf(): string | null {
  try {
    const unreadable = unreadableOf(loadConfig())
    return unreadable.length === 0 ? null : new ConfigFaults(unreadable).message
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error
    return error.message
  }
}

/** Files that are read later, some by other processes: of those too it should be known before the first signature. */
function unreadableOf(config: Config): readonly string[] {
  return Object.entries(config).flatMap(([name, value]) => {
    const isPath = (name.endsWith("_FILE") && name !== "CLOCK_FILE") || name === "PKCS11_MODULE"
    // A module without a folder is looked for by the system.
    if (!isPath || typeof value !== "string" || !value.includes("/")) return []
    try {
      accessSync(value, constants.R_OK)
      return []
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return `${name}: ${value} cannot be read (${code}). ${SETTINGS[name as keyof Config].about}`
    }
  })
}

/** The table of `docs/operations.md`; a test keeps the two the same. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${fallbackOf(setting)} | ${setting.about} |`,
  )
  return ["| setting | when absent | what it is |", "|---|---|---|", ...rows].join("\n")
}

function fallbackOf(setting: { readonly fallback: unknown; readonly neededBy?: string }): string {
  const { fallback, neededBy } = setting
  if (neededBy !== undefined) return `must be given to a ${neededBy}`
  if (fallback === undefined) return "must be given"
  const text = Array.isArray(fallback) ? fallback.join(",") : String(fallback)
  return text === "" ? "empty" : `\`${text}\``
}
