// The shared libraries that a PDF process maps, by the dynamic linker's own answer: the sandbox lets it read these and no other.

import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { basename, dirname } from "node:path"

export type SharedLibraries = {
  /** The dynamic linker, which the kernel executes to start a program. */
  readonly linker: string | null
  readonly libraries: readonly string[]
}

/** `readable`: patterns as in `Program`; native add-ons are looked for in the packages among them. */
export function sharedLibraries(readable: readonly string[]): SharedLibraries {
  ofNode ??= listed(process.execPath, [])
  const { linker, libraries } = ofNode
  if (linker === null) return { linker, libraries }
  const ofAddons = addonsIn(readable).flatMap((addon) => listed(linker, [addon]).libraries)
  return { linker, libraries: [...new Set([...libraries, ...ofAddons])] }
}

/** Of any program, with the dynamic linker among them. */
export const librariesOf = (program: string): readonly string[] => listed(program, []).libraries

let ofNode: SharedLibraries | undefined

/** A program started with this variable (ld.so(8)) names its libraries, one a line, and ends. */
function listed(program: string, args: readonly string[]): SharedLibraries {
  const env = { LD_TRACE_LOADED_OBJECTS: "1" }
  const { stdout } = spawnSync(program, [...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
  const lines = (stdout ?? "").split("\n")
  const pathIn = (line: string) => /(?:=> |^\s*)(\/\S+) \(0x/.exec(line)?.[1] ?? []
  const linker = lines.filter((line) => !line.includes("=>")).flatMap(pathIn)
  return { linker: linker[0] ?? null, libraries: lines.flatMap(pathIn) }
}

/** Packages of sharp keep them in `lib`. */
function addonsIn(readable: readonly string[]): string[] {
  return readable
    .map((pattern) => dirname(pattern))
    .filter((folder) => basename(folder) === "@img")
    .flatMap((folder) => globSync(`${folder}/*/lib/*.node`))
}
