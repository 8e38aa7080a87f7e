// The same few certificates, names and keys come again and again: in a signature, its time-stamps and the answers about them, and
// with every signature anew. What was made of the same bytes before is the same again.

const MOST = 256
/** What is longer is rare, and would keep too much: of each kind 2 MB are kept at most. */
const MAX_BYTES = 8192

/**
 * A function of nothing but bytes, whose latest results are kept; what it throws is not. It is given bytes of its own, since
 * a result may hold on to them, and those of the caller may be a small part of many, or be written to later.
 */
export function remembered<Parts extends readonly Uint8Array[], Result>(
  make: (...parts: Parts) => Result,
): (...parts: Parts) => Result {
  const known = new Map<string, Result>()
  return (...given) => {
    // Whoever maps over bytes gives more than it asks for.
    const parts = given.slice(0, make.length) as readonly Uint8Array[] as Parts
    const lengths = parts.map(({ length }) => length)
    if (lengths.reduce((sum, length) => sum + length, 0) > MAX_BYTES) return make(...parts)
    // The bytes themselves, and where each part ends: no two keys are the same by chance, or by intent.
    const key = [lengths.join(), ...parts.map(latin1)].join("\n")
    const before = known.get(key)
    if (before !== undefined) return before
    const result = make(...(parts.map((part) => new Uint8Array(part)) as readonly Uint8Array[] as Parts))
    if (known.size >= MOST) known.delete(known.keys().next().value ?? "")
    known.set(key, result)
    return result
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")
