// What is left where the launcher of the sandbox cannot run (sandbox/sandbox.ts): limits, network and rights, but no Landlock and no
// system call filter. Each part is a small program of util-linux that sets
// something up and then becomes the next one, so the process keeps its number, and a signal reaches the right one.

import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

export type Surroundings = {
  /** "none": a network of its own, without a single address that answers. */
  readonly network: "none" | "shared"
  /** "dropped": not even root can take a right back; without that, the rights are those of the service. */
  readonly rights: "dropped" | "kept"
  /** "none" can be written to, of no size at all. */
  readonly files: "none" | "any"
  /** "limited" by the kernel. */
  readonly processor: "limited" | "unlimited"
  /** "watched": looked at many times a second; "limited" in addition: no burst between two looks gets far. */
  readonly memory: "limited" | "watched" | "unlimited"
}

const UNSHARE = "/usr/bin/unshare"
const SETPRIV = "/usr/bin/setpriv"
const PRLIMIT = "/usr/bin/prlimit"

// The first of each that works here: root may have a new network as it is, others need a user namespace around it.
const NETWORKS = [
  [UNSHARE, "--net"],
  [UNSHARE, "--user", "--map-current-user", "--net"],
]
const RIGHTS = [
  [SETPRIV, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"],
  [SETPRIV, "--no-new-privs"],
]

/** What V8 maps before it has read anything: it sets aside much more than it ever touches. */
export const MAPPED_AT_REST_BYTES = 1_000_000_000
export const OPEN_FILES = 64

export function surroundings(): Surroundings {
  const { network, rights, limits } = found()
  const watched = existsSync("/proc/self/status") ? "watched" : "unlimited"
  return {
    network: network.length > 0 ? "none" : "shared",
    rights: rights.length > 0 ? "dropped" : "kept",
    files: limits ? "none" : "any",
    processor: limits ? "limited" : "unlimited",
    memory: limits ? "limited" : watched,
  }
}

/** The command with everything in front of it that this system allows. */
export function surrounded(
  command: readonly string[],
  { cpuSeconds, rssLimitBytes }: { readonly cpuSeconds: number; readonly rssLimitBytes: number },
): readonly string[] {
  const { network, rights, limits } = found()
  const limited = [
    PRLIMIT,
    `--cpu=${cpuSeconds}`,
    `--data=${rssLimitBytes + MAPPED_AT_REST_BYTES}`,
    `--nofile=${OPEN_FILES}`,
    "--fsize=0",
    "--core=0",
  ]
  return [...network, ...(limits ? limited : []), ...rights, ...command]
}

type Found = {
  readonly network: readonly string[]
  readonly rights: readonly string[]
  readonly limits: boolean
}

let known: Found | undefined

/** Tried once: whether a system allows it cannot be read anywhere. */
function found(): Found {
  known ??= {
    network: NETWORKS.find(works) ?? [],
    rights: RIGHTS.find(works) ?? [],
    limits: works([PRLIMIT, "--core=0"]),
  }
  return known
}

function works([program = "", ...args]: readonly string[]): boolean {
  return (
    spawnSync(program, [...args, process.execPath, "--version"], { env: {}, stdio: "ignore" }).status === 0
  )
}
