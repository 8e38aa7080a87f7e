// RC4, because OpenSSL no longer has it by default and old encrypted PDFs do (ISO 32000-2, 7.6.3.2). For reading only.

export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + at(state, i) + at(key, i % key.length)) & 0xff
    swap(state, i, j)
  }
  const out = new Uint8Array(data.length)
  let i = 0
  j = 0
  for (let n = 0; n < data.length; n++) {
    i = (i + 1) & 0xff
    j = (j + at(state, i)) & 0xff
    swap(state, i, j)
    out[n] = at(data, n) ^ at(state, (at(state, i) + at(state, j)) & 0xff)
  }
  return out
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0
}

function swap(state: Uint8Array, i: number, j: number): void {
  const kept = at(state, i)
  state[i] = at(state, j)
  state[j] = kept
}
