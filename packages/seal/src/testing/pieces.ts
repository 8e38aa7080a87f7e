import type { Layout } from "../layout.ts"
import { seal } from "../stream.ts"

/** As a network gives them: cut at any places, empty ones among them. The sizes are used again from the first. */
export async function* inPieces(bytes: Uint8Array, sizes: readonly number[] = [65_536]) {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** With a copy of the key each time: `seal` refuses one that it has seen. */
export function sealed(
  key: Uint8Array,
  context: string,
  plain: Uint8Array,
  layout?: Layout,
): Promise<Buffer> {
  return collect(seal(Buffer.from(key), context, inPieces(plain), layout))
}
