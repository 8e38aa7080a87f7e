// The launcher (native/launcher): applies the sandbox to itself and then becomes the process. This is its command line.

import { existsSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { PACKAGE } from "../one-file.ts"
import type { SharedLibraries } from "./shared-libraries.ts"
import { SANDBOX_UID } from "./uid.ts"

export type Confinement = {
  /** Patterns as in `Program`. */
  readonly readable: readonly string[]
  /** The private folder of the process; null for one that reads no document. */
  readonly documents: string | null
  readonly libraries: SharedLibraries
  readonly cpuSeconds: number
  readonly dataBytes: number
  readonly openFiles: number
  readonly environment: Readonly<Record<string, string>>
}

/** Where `npm run setup` and the image put it. */
export const LAUNCHER = join(PACKAGE, "dist", "paraph-launcher")

/** Without these it starts nothing: files and system calls are what a native bug would use. */
const REQUIRED = ["landlock", "seccomp", "limits"]

export const isBuilt = (): boolean => existsSync(LAUNCHER)

/** The command that starts `command` in the sandbox, or with `report` prints which protections are active. */
export function launched(
  command: readonly string[],
  { readable, documents, libraries, cpuSeconds, dataBytes, openFiles, environment }: Confinement,
  report = false,
): readonly string[] {
  const [program = ""] = command
  const { linker, libraries: shared } = libraries
  return [
    LAUNCHER,
    ...(report ? ["--report"] : REQUIRED.flatMap((name) => ["--require", name])),
    ...[...readable.map(folderOf), ...shared].flatMap((path) => ["--read", path]),
    ...[realpathSync(program), linker].flatMap((path) => (path === null ? [] : ["--execute", path])),
    ...(documents === null ? [] : ["--documents", documents]),
    ...["--uid", `${SANDBOX_UID}`, "--cpu", `${cpuSeconds}`],
    ...["--data", `${dataBytes}`, "--open-files", `${openFiles}`],
    ...Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    "--",
    ...command,
  ]
}

/** Node's permission model writes `folder/*`. */
const folderOf = (pattern: string): string => (basename(pattern) === "*" ? dirname(pattern) : pattern)
