import { ConfigFaults, loadConfig, SETTINGS } from "@paraph/server/config"

export function configCheck(): number {
  try {
    loadConfig()
    console.log("The configuration is usable.")
    return 0
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error
    console.log(error.message)
    return 1
  }
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
