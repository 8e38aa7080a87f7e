import { readFileSync } from "node:fs"
import { type CellPlace, readCells } from "@paraph/store/directory/cells-file"

export type Config = {
  readonly host: string
  readonly port: number
  /** The address that people and integrators know, the same for all cells. */
  readonly publicUrl: string
  /** Of the validation interface, where it has a host of its own; else empty. */
  readonly validationUrl: string
  readonly trustedProxies: readonly string[]
  readonly logLevel: string
  readonly directoryUrl: string
  readonly cells: readonly CellPlace[]
}

type Env = Readonly<Record<string, string | undefined>>

/** The only reader of the environment here (docs/cells.md says what each is). */
export function loadConfig(env: Env = process.env): Config {
  const cellsFile = needed(env, "CELLS_FILE")
  const port = Number(env.PORT || "8080")
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("PORT is no port.")
  return {
    host: env.HOST || "127.0.0.1",
    port,
    publicUrl: originOf(needed(env, "PUBLIC_URL"), "PUBLIC_URL"),
    validationUrl: env.VALIDATION_BASE_URL ? originOf(env.VALIDATION_BASE_URL, "VALIDATION_BASE_URL") : "",
    trustedProxies: (env.TRUSTED_PROXIES ?? "").split(",").flatMap((one) => one.trim() || []),
    logLevel: env.LOG_LEVEL || "info",
    directoryUrl: needed(env, "DIRECTORY_URL"),
    cells: readCells(cellsFile),
  }
}

/** NAME, or the content of the file that NAME_FILE names, unless NAME is a file itself. */
function needed(env: Env, name: string): string {
  const file = name.endsWith("_FILE") ? undefined : env[`${name}_FILE`]
  const given = env[name] || (file ? readFileSync(file, "utf8").trim() : "")
  if (given === "") throw new Error(`${name} must be given.`)
  return given
}

function originOf(text: string, name: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/")
    throw new Error(`${name} is not an address without a path.`)
  return url.origin
}
