// Inputs that went a new way, kept from one run to the next: a night begins where the last one ended. One file for each way, named
// by it, and the shortest input that went it. They may hold octets of foreign files, so they belong into no repository.

import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const MAX_BYTES = 65_536
const MAX_FILES = 2_000

export type KeptInputs = {
  /** Of earlier runs, in the order of their names: the same folder gives the same run. */
  readonly inputs: readonly Uint8Array[]
  /** Written at once where the way is new: a reader that hangs next ends everything. Otherwise the shorter one is kept. */
  readonly note: (way: string, input: Uint8Array, isNew: boolean) => void
  /** What became shorter is written, and what goes no way of its own any more is removed. */
  readonly end: (ways: ReadonlySet<string>) => void
}

export function openKept(folder: string, target: string): KeptInputs {
  const own = join(folder, target)
  mkdirSync(own, { recursive: true })
  const names = readdirSync(own).sort()
  const inputs = names.map((name) => new Uint8Array(readFileSync(join(own, name))))
  const lengths = new Map(names.map((name, i) => [name, inputs[i]?.length ?? 0]))
  const shorter = new Map<string, Uint8Array>()
  return {
    inputs,
    note: (way, input, isNew) => {
      const name = nameOf(way)
      const length = lengths.get(name)
      if (input.length > MAX_BYTES || (length === undefined && (!isNew || lengths.size >= MAX_FILES))) return
      if (length !== undefined && length <= input.length) return
      lengths.set(name, input.length)
      if (length === undefined) writeFileSync(join(own, name), input)
      else shorter.set(name, new Uint8Array(input))
    },
    end: (ways) => {
      for (const [name, input] of shorter) writeFileSync(join(own, name), input)
      const known = new Set(Array.from(ways, nameOf))
      for (const name of names) if (!known.has(name)) rmSync(join(own, name), { force: true })
    },
  }
}

const nameOf = (way: string): string => createHash("sha256").update(way).digest("hex").slice(0, 24)
