// For the tests: a child that tries to do what a parser never needs.

import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { openSealedFile, type SealedFile } from "@paraph/seal/file"
import { answerOnce } from "../../pdf/answer.ts"
import { type Addresses, reach } from "../reach.ts"

export type LooksAroundAsked = {
  /** Files that this child has no key for, or should not see at all; tried with the key that it has. */
  readonly others: Readonly<Record<string, SealedFile>>
  readonly addresses: Addresses
}

answerOnce<LooksAroundAsked>(async ({ others, addresses }, document) => ({
  value: {
    document: Buffer.from(document.read(0, document.length)).toString(),
    // biome-ignore lint/style/noProcessEnv: that there is none is what is shown.
    environment: Object.keys(process.env).length,
    secret: attempt(() => readFileSync("/etc/passwd")),
    root: attempt(() => readdirSync("/")),
    write: attempt(() => writeFileSync("/tmp/paraph-looked-around", "x")),
    program: attempt(() => execFileSync("/bin/true")),
    thread: attempt(() => new Worker("0", { eval: true })),
    addon: attempt(() => process.dlopen({ exports: {} }, "/nowhere.node")),
    others: Object.fromEntries(
      Object.entries(others).map(([name, file]) => [name, attempt(() => openSealedFile(file))]),
    ),
    network: await reach(addresses),
  },
}))

function attempt(deed: () => unknown): string {
  try {
    deed()
    return "done"
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code ?? message
  }
}
