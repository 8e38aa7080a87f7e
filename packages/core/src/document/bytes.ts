import type { Bytes } from "../ports.ts"

/** The whole of a document, for a process that reads it in one piece. */
export async function collect(bytes: Bytes, sizeBytes: number): Promise<Uint8Array> {
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for await (const piece of bytes) {
    if (at + piece.length > sizeBytes) break
    whole.set(piece, at)
    at += piece.length
  }
  if (at !== sizeBytes) throw new Error("The stored document has another size than its row says.")
  return whole
}
