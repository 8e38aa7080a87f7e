import { randomBytes } from "node:crypto"

const PIECE_BYTES = 1_000_000

/** So many bytes, with a text at an offset, that are never in memory together. */
export async function* document(
  sizeBytes: number,
  planted: { readonly text: string; readonly at: number } = { text: "", at: 0 },
): AsyncGenerator<Uint8Array> {
  const noise = randomBytes(PIECE_BYTES)
  for (let start = 0; start < sizeBytes; start += PIECE_BYTES) {
    const piece = Buffer.from(noise.subarray(0, Math.min(PIECE_BYTES, sizeBytes - start)))
    if (start === 0) piece.write("%PDF-1.7\n1 0 obj\n<</Length 99999999>>\nstream\n")
    // A text that lies across two pieces is written into both: `write` cuts off what does not fit.
    const text = Buffer.from(planted.text)
    const skip = Math.max(0, start - planted.at)
    if (planted.at < start + piece.length && skip < text.length)
      text.copy(piece, Math.max(0, planted.at - start), skip)
    yield piece
  }
}

export async function* pieces(...contents: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) yield Buffer.from(content as string)
}
