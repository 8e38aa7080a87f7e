// Which sandbox this system allows for PDF and picture processes. Tried once, when the first process is about to start.

import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { surroundings } from "../surroundings.ts"
import { type Confinement, isBuilt, launched } from "./launcher.ts"
import { sharedLibraries } from "./shared-libraries.ts"

/** 1: active. The names are those of the metric `paraph_pdf_sandbox`. */
export type Protections = {
  /** Reads only its code and its one document, executes nothing, writes nothing; enforced by the kernel for native code too. */
  readonly landlock: boolean
  /** Only the system calls that a PDF process needs: no sockets, no processes, no signals to others. */
  readonly seccomp: boolean
  /** A network namespace without addresses, in addition to `seccomp`. */
  readonly network: boolean
  /** A user of its own, which owns nothing; only root can start one. */
  readonly uid: boolean
  /** Limits on CPU time, memory, open files, written files and core dumps. */
  readonly limits: boolean
}

export type Sandbox = {
  /** What applies it: our launcher, programs of util-linux, or nothing. */
  readonly mechanism: "launcher" | "util-linux" | "none"
  /** Landlock and seccomp are active. */
  readonly enforced: boolean
  readonly protections: Protections
}

/** Without `required` a process starts with whatever the system allows. */
export type SandboxPolicy = "required" | "preferred"

export class SandboxUnavailable extends Error {
  constructor({ mechanism, protections }: Sandbox) {
    const missing = Object.entries(protections).flatMap(([name, active]) => (active ? [] : [name]))
    super(
      `The sandbox for PDF processes is required and cannot be enforced here: ${mechanism}, without ${missing.join(", ")}. ` +
        "Build native/launcher and use a Linux kernel with Landlock and seccomp, or set PDF_SANDBOX=preferred.",
    )
    this.name = "SandboxUnavailable"
  }
}

let known: Sandbox | undefined

/** `folder` is where the sealed files lie; any will do, except that the user of a process depends on who may enter it. */
export function sandboxHere(folder = tmpdir()): Sandbox {
  known ??= launcherHere(folder) ?? weaker()
  return known
}

export function requireSandbox(policy: SandboxPolicy, folder: string): void {
  const sandbox = sandboxHere(folder)
  if (policy === "required" && !sandbox.enforced) throw new SandboxUnavailable(sandbox)
}

type Reported = Omit<Protections, "landlock"> & { readonly landlock: number }

function launcherHere(folder: string): Sandbox | undefined {
  if (!isBuilt()) return undefined
  const documents = mkdtempSync(join(folder, "process-"))
  try {
    const command = [process.execPath, "--openssl-config=/nonexistent/openssl.cnf", "--version"]
    const starts = run(launched(command, confinement(documents)))
    if (starts.status !== 0) return undefined
    const { stdout } = run(launched(command, confinement(documents), true))
    const { landlock, seccomp, network, uid, limits } = JSON.parse(stdout) as Reported
    const protections = { landlock: landlock > 0, seccomp, network, uid, limits }
    return { mechanism: "launcher", enforced: protections.landlock && seccomp && limits, protections }
  } finally {
    rmSync(documents, { recursive: true, force: true })
  }
}

const run = ([launcher = "", ...args]: readonly string[]) =>
  spawnSync(launcher, args, { env: {}, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })

const confinement = (documents: string): Confinement => ({
  readable: [join(import.meta.dirname, "*")],
  documents,
  libraries: sharedLibraries([]),
  cpuSeconds: 10,
  dataBytes: 1_500_000_000,
  openFiles: 64,
  environment: {},
})

function weaker(): Sandbox {
  const { network, rights, processor } = surroundings()
  const protections = {
    ...{ landlock: false, seccomp: false, uid: false },
    network: network === "none",
    limits: processor === "limited",
  }
  const isAny = protections.network || protections.limits || rights === "dropped"
  return { mechanism: isAny ? "util-linux" : "none", enforced: false, protections }
}
