// What the system takes from the key process before it reads a key. Each part is a program of util-linux that sets something up
// and then executes the next one, so that the process keeps its number.

import { spawnSync } from "node:child_process"
import { existsSync, realpathSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export type Isolation = {
  readonly network: "none" | "shared"
  /** "dropped": no capability, and none can be gained by executing another program. */
  readonly privileges: "dropped" | "kept"
  readonly coreDumps: "none" | "allowed"
  /** "closed": processes of the same user cannot read it by ptrace or /proc, since the process is not dumpable. */
  readonly memory: "closed" | "open" | "unknown"
}

const NETWORKS = [
  ["/usr/bin/unshare", "--net"],
  ["/usr/bin/unshare", "--user", "--map-current-user", "--net"],
]
const PRIVILEGES = [
  ["/usr/bin/setpriv", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"],
  ["/usr/bin/setpriv", "--no-new-privs"],
]
const LIMITS = [["/usr/bin/prlimit", "--core=0", "--nofile=64", "--fsize=0"]]
/** The last one sets nothing and prints its version: what works in front of it works in front of Node. */
const PROBE = ["/usr/bin/setpriv", "--version"]

const HERE = dirname(fileURLToPath(import.meta.url))
const PROGRAM = join(HERE, "child.ts")

export type Command = {
  readonly program: string
  readonly args: readonly string[]
  readonly isolation: Omit<Isolation, "memory">
}

/** The command that starts the key process, and what the system takes from it. `files` are the key files. */
export function isolatedCommand(files: readonly string[], node = process.execPath): Command {
  const { network, privileges, limits } = found()
  const readable = [join(HERE, "..", "*"), ...sealPackage(), ...files]
  const [program = node, ...args] = [
    ...network,
    ...limits,
    ...privileges,
    node,
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // Otherwise a process of the same user could start the debugger, which reads and writes the memory.
    "--disable-sigusr1",
    "--max-old-space-size=64",
    "--disable-warning=SecurityWarning",
    PROGRAM,
  ]
  const isolation = {
    network: network.length > 0 ? "none" : "shared",
    privileges: privileges.length > 0 ? "dropped" : "kept",
    coreDumps: limits.length > 0 ? "none" : "allowed",
  } as const
  return { program, args, isolation }
}

/**
 * Linux makes a process not dumpable whose executable its user may execute and not read, and gives its files in /proc to root. The
 * image has Node in such a file. Root may read everything, so that root sees no difference.
 */
export function memoryOf(pid: number | undefined): Isolation["memory"] {
  try {
    return statSync(`/proc/${pid}/environ`).uid === process.geteuid?.() ? "open" : "closed"
  } catch {
    return "unknown"
  }
}

type Found = {
  readonly network: readonly string[]
  readonly privileges: readonly string[]
  readonly limits: readonly string[]
}

let known: Found | undefined

/** Tried once: no file says whether a system allows it. */
function found(): Found {
  const first = (choices: readonly (readonly string[])[]) => choices.find(works) ?? []
  known ??= { network: first(NETWORKS), privileges: first(PRIVILEGES), limits: first(LIMITS) }
  return known
}

const works = ([program = "", ...args]: readonly string[]): boolean =>
  spawnSync(program, [...args, ...PROBE], { env: {}, stdio: "ignore" }).status === 0

/** The child's only package, at each place where Node looks for it. */
function sealPackage(): readonly string[] {
  const places = (createRequire(import.meta.url).resolve.paths("@paraph/seal") ?? []).map((path) =>
    join(path, "@paraph/seal"),
  )
  const folders = places.flatMap((path) => (existsSync(path) ? [path, realpathSync(path)] : [path]))
  return [...new Set(folders)].map((path) => join(path, "*"))
}
