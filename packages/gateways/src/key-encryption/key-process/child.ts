// The process that alone reads the operator's key file: it wraps and unwraps, and gives no key of its own out (ADR 0095).

import { closeSync, openSync, readSync } from "node:fs"
import { KeyEncryptionFailed } from "../failed.ts"
import type { KeyEncryption } from "../key-encryption.ts"
import { localFileKeyEncryption } from "../local-file.ts"
import {
  createLineReader,
  type KeySource,
  lineOf,
  MAX_KEYS,
  type Open,
  type Reply,
  type Request,
} from "./protocol.ts"

const MAX_FILE_BYTES = MAX_KEYS * 80

let keys: readonly KeyEncryption[] | null = null

// A terminal sends its signals to all processes in front. This one ends with its parent, which closes the pipe.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined)
process.stdin.on("end", () => process.exit(0))
process.stdout.on("error", () => process.exit(1))
const read = createLineReader((message) => {
  if (keys === null) open(message as Open)
  else void answer(keys, message as Request)
})
process.stdin.on("data", (piece: Buffer) => {
  try {
    read(piece)
  } catch {
    process.exit(1)
  }
})

function open({ current, earlier }: Open): void {
  try {
    const opened = [...keysIn("KEK", current), ...keysIn("KEK_EARLIER", earlier)]
    keys = opened
    reply({ type: "ready", ids: opened.map(({ id }) => id) })
  } catch (error) {
    reply({ type: "failed", message: error instanceof Error ? error.message : "unknown" })
    process.exitCode = 1
    process.stdin.destroy()
  }
}

function keysIn(name: "KEK" | "KEK_EARLIER", source: KeySource | null): readonly KeyEncryption[] {
  if (source === null) return []
  const given = "file" in source ? contentOf(name, source.file).split(",") : source.hex
  const found = given.map((one) => one.trim()).filter((one) => one !== "")
  const most = name === "KEK" ? 1 : MAX_KEYS - 1
  if (found.length === 0 || found.length > most)
    throw new Error(`${name}: expected 1 to ${most} keys, got ${found.length}.`)
  if (!found.every((hex) => /^[0-9a-f]{64}$/i.test(hex))) throw new Error(`${name}: not 32 bytes in hex.`)
  return found.map((hex) => localFileKeyEncryption({ key: hex }))
}

function contentOf(name: string, file: string): string {
  const bytes = Buffer.alloc(MAX_FILE_BYTES + 1)
  try {
    const descriptor = openSync(file, "r")
    try {
      const length = readSync(descriptor, bytes)
      if (length > MAX_FILE_BYTES) throw new Error(`${name}: ${file} is too large for ${MAX_KEYS} keys.`)
      return bytes.toString("latin1", 0, length)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw code === undefined ? error : new Error(`${name}_FILE: ${file} cannot be read (${code}).`)
  } finally {
    bytes.fill(0)
  }
}

async function answer(from: readonly KeyEncryption[], request: Request): Promise<void> {
  const { id, operation, key, data, context } = request
  try {
    const one = from[key]
    if (one === undefined) throw new KeyEncryptionFailed("no-such-key", "The key process has no such key.")
    const bytes = Buffer.from(data, "base64")
    const result = operation === "wrap" ? await one.wrap(bytes, context) : await one.unwrap(bytes, context)
    reply({ type: "done", id, data: Buffer.from(result).toString("base64") })
  } catch (error) {
    const code = error instanceof KeyEncryptionFailed ? error.code : "down"
    const message = error instanceof KeyEncryptionFailed ? error.message : "The key process failed."
    reply({ type: "refused", id, code, message })
  }
}

function reply(message: Reply): void {
  process.stdout.write(lineOf(message))
}
