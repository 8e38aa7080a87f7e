// What the attempts are made on: files, listeners and processes that are really there.

import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import type { SealedFile } from "@paraph/seal/file"
import { answering } from "../reach.ts"
import { sealedFileOf } from "../sealed-file.ts"

export type Target = {
  readonly key: string
  readonly secret: string
  readonly spool: string
  readonly home: string
  /** A sealed file that the process is not given. */
  readonly sealed: string
  /** The folder of the process, and a file of its code. */
  readonly own: string
  readonly code: string
  readonly node: string
  readonly linker: string
  readonly parent: number
  readonly sibling: number
  /** An address in the memory of the sibling. */
  readonly memory: number
  readonly tcp4: number
  readonly tcp6: number
  readonly udp4: number
  readonly unix: string
  readonly abstract: string
}

export type Scene = {
  readonly target: Omit<Target, "own" | "code">
  /** The document that the process is given. */
  readonly file: SealedFile
  readonly close: () => Promise<void>
}

export async function setScene(linker: string): Promise<Scene> {
  // Below the folder of the tests' user, which no other user may enter, as a spool is.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "paraph-attempts-")))
  const [spool, key, secret] = [join(folder, "spool"), join(folder, "operator-key"), join(folder, "secret")]
  mkdirSync(spool, { mode: 0o700 })
  for (const [path, mode] of [
    [key, 0o400],
    [`${key}-changed`, 0o400],
    [secret, 0o444],
  ] as const) {
    writeFileSync(path, "the operator's key")
    chmodSync(path, mode)
  }
  const [file, other] = [
    await sealedFileOf(randomBytes(100), spool),
    await sealedFileOf(randomBytes(100), spool),
  ]
  for (const suffix of ["truncated", "removed"]) writeFileSync(`${other.path}-${suffix}`, "sealed")
  const { addresses, close } = await answering()
  const unix = join(folder, "socket")
  const abstract = `paraph-${randomUUID()}`
  const listeners = [unix, `\0${abstract}`].map((path) => createServer((one) => one.end()).listen(path))
  await Promise.all(listeners.map((listener) => once(listener, "listening")))
  const sibling = await startSibling()
  return {
    target: {
      ...{ key, secret, spool, home: homedir(), sealed: other.path, unix, abstract, linker },
      ...{ node: realpathSync(process.execPath), parent: process.pid },
      ...{ sibling: sibling.pid ?? 0, memory: firstAddress(sibling.pid), ...addresses },
    },
    file,
    close: async () => {
      close()
      for (const listener of listeners) listener.close()
      sibling.kill("SIGKILL")
      await once(sibling, "close")
      rmSync(folder, { recursive: true })
    },
  }
}

async function startSibling(): Promise<ChildProcess> {
  const wait = "console.log('ready'); setInterval(() => undefined, 1000)"
  const sibling = spawn(process.execPath, ["-e", wait], {
    env: { SECRET: "of a sibling" },
    stdio: ["ignore", "pipe", "ignore"],
  })
  await once(sibling.stdout, "data")
  return sibling
}

const firstAddress = (pid: number | undefined): number =>
  Number.parseInt(readFileSync(`/proc/${pid}/maps`, "latin1"), 16)
