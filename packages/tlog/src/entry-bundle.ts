// Entries side by side, each after its length in two octets (C2SP tlog-tiles, "Log entries").

import { TlogRefused } from "./refused.ts"

const MAX_ENTRY_BYTES = 0xffff

export function writeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw new TlogRefused("An entry that is too long for a bundle.")
      const length = Buffer.alloc(2)
      length.writeUInt16BE(entry.length)
      return [length, entry]
    }),
  )
}

export function readEntryBundle(bundle: Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength)
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 2 > bytes.length) throw new TlogRefused("A bundle that ends within a length.")
    const end = at + 2 + bytes.readUInt16BE(at)
    if (end > bytes.length) throw new TlogRefused("A bundle that ends within an entry.")
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries
}
