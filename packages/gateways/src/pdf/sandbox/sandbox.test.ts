import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import type { AttemptsHere } from "../../testing/programs/attempts-here.ts"
import { writeContainerRoot } from "../../testing/sandbox/container-root.ts"
import { LAUNCHER } from "./launcher.ts"
import { SandboxUnavailable } from "./sandbox.ts"

const CHECKOUT = join(import.meta.dirname, "../../../../..")
const PROGRAM = "packages/gateways/src/testing/programs/attempts-here.ts"
/** Where `npm run setup` puts the programs of native/probe. */
const PROBE = join(CHECKOUT, ".tools/native")
const isRoot = process.getuid?.() === 0
/** An ordinary user, without anything of the one that runs the tests. */
const ORDINARY = isRoot ? ["/usr/bin/setpriv", "--reuid=65532", "--regid=65532", "--clear-groups"] : []

/** What an ordinary process could not do either: the machine has no terminal here, and Node passes no files on. */
const NEVER = ["type into a terminal", "use a file that it inherited"]
const NEEDS_RIGHTS = [
  "open the operator's key by its handle",
  "open a raw socket",
  "open a packet socket",
  "change its root",
  "make a mount namespace",
  "enter a namespace",
  "mount a file system",
  "make a BPF map",
  "count events",
  "ask to be notified of files",
  "read the kernel's log",
  "become root",
  // The checkout and the home folder may belong to another user.
  "open its own code for writing",
  "list the home folder",
]

/** What the container's own profile denies. */
const OF_THE_PROFILE = [
  "compare with a sibling",
  "set up io_uring",
  "handle page faults",
  "add a key",
  "change its personality",
]

describe("[B6] a native bug in a PDF process", { timeout: 60_000 }, () => {
  it("finds launcher and probe built: npm run setup", () => {
    for (const path of [LAUNCHER, join(PROBE, "probe.node"), join(PROBE, "without")])
      expect(existsSync(path), path).toBe(true)
  })

  it.runIf(isRoot)("achieves nothing where root starts the service", async () => {
    const { sandbox, confined, free } = await attemptsMade([])
    expect(sandbox.protections).toEqual({
      ...{ landlock: true, seccomp: true, network: true, uid: true, limits: true },
    })
    expect(succeededIn(confined)).toEqual([])
    expect(failedIn(free)).toEqual(NEVER)
  })

  it("[R18] achieves nothing where an ordinary user starts the service", async () => {
    const { sandbox, uid, confined, free } = await attemptsMade(ORDINARY)
    expect(uid).not.toBe(0)
    expect(sandbox).toMatchObject({ enforced: true, protections: { network: true, uid: false } })
    expect(succeededIn(confined)).toEqual([])
    expect(failedIn(free).filter((title) => ![...NEVER, ...NEEDS_RIGHTS].includes(title))).toEqual([])
  })

  it("achieves nothing where the system allows no user namespaces", async () => {
    const { sandbox, confined, free } = await attemptsMade([
      join(PROBE, "without"),
      "user-namespaces",
      ...ORDINARY,
    ])
    expect(sandbox).toMatchObject({ enforced: true, protections: { network: false, uid: false } })
    expect(succeededIn(confined)).toEqual([])
    const excused = [...NEVER, ...NEEDS_RIGHTS, "make a user namespace", "clone3"]
    expect(failedIn(free).filter((title) => !excused.includes(title))).toEqual([])
  })

  it.runIf(isRoot)("achieves nothing in a container with the engine's default profile", async () => {
    const root = mkdtempSync(join(tmpdir(), "paraph-container-"))
    writeContainerRoot(root)
    const { sandbox, uid, confined, free } = await attemptsMade(inContainer(root), {
      ...{ node: "/usr/local/bin/node", checkout: "/checkout" },
    })
    rmSync(root, { recursive: true, force: true })
    expect(uid).toBe(65532)
    expect(sandbox.enforced).toBe(true)
    expect(succeededIn(confined)).toEqual([])
    const excused = [...NEVER, ...NEEDS_RIGHTS, ...OF_THE_PROFILE]
    expect(failedIn(free).filter((title) => !excused.includes(title))).toEqual([])
  })

  it("is not held without Landlock, where the service says so and refuses to start", async () => {
    const { sandbox, confined } = await attemptsMade([join(PROBE, "without"), "landlock", ...ORDINARY])
    expect(sandbox).toMatchObject({ mechanism: "util-linux", enforced: false })
    // What the attempts above prove: without the launcher they succeed.
    expect(succeededIn(confined)).toContain("read the operator's key (mode 0400)")
    expect(new SandboxUnavailable(sandbox).message).toContain("without landlock, seccomp, uid")
  })
})

/** runc and these limits also work where the tests themselves run in a container. Everything else is podman's default. */
const inContainer = (root: string): readonly string[] => [
  ...["podman", "--runtime", "runc", "run", "--rm", "--network", "none", "--user", "65532:65532"],
  ...["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"],
  ...[
    "--volume",
    `${realpathSync(process.execPath)}:/usr/local/bin/node:ro`,
    "--volume",
    `${CHECKOUT}:/checkout:ro`,
  ],
  ...["--rootfs", root],
]

async function attemptsMade(
  prefix: readonly string[],
  { node, checkout } = { node: process.execPath, checkout: CHECKOUT },
): Promise<AttemptsHere> {
  const words = [...prefix, node, join(checkout, PROGRAM), join(checkout, ".tools/native")]
  const [program = "", ...args] = words
  const { stdout } = await promisify(execFile)(program, args)
  const made = JSON.parse(stdout) as AttemptsHere
  expect(Object.keys(made.confined).length).toBeGreaterThan(90)
  return made
}

/** Every attempt failed, and the one thing that must work did. */
function succeededIn(outcomes: AttemptsHere["confined"]): string[] {
  const succeeded = Object.entries(outcomes).flatMap(([title, outcome]) =>
    outcome === "done" ? [title] : [],
  )
  expect(succeeded).toContain("[control] read its own document")
  return succeeded.filter((title) => !title.startsWith("[control]"))
}

const failedIn = (outcomes: AttemptsHere["free"]): string[] =>
  Object.entries(outcomes).flatMap(([title, outcome]) => (outcome === "done" ? [] : [title]))
