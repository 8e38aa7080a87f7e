// AES as encrypted PDFs have it (ISO 32000-2, 7.6), by the names of node:crypto, over @noble/ciphers.

import { cbc, ecb } from "@noble/ciphers/aes.js"

export type Cipher = {
  readonly setAutoPadding: (on: boolean) => Cipher
  readonly update: (data: Uint8Array) => Buffer
  readonly final: () => Buffer
}

const KEY_BYTES = new Map([
  ["aes-128-cbc", 16],
  ["aes-256-cbc", 32],
  ["aes-256-ecb", 32],
])

export function newCipher(
  direction: "encrypt" | "decrypt",
  name: string,
  key: Uint8Array,
  iv: Uint8Array | null,
): Cipher {
  if (KEY_BYTES.get(name) !== key.length) throw new Error("Invalid key length")
  let padded = true
  let last = Buffer.alloc(0)
  const run = (data: Uint8Array): Uint8Array => {
    const options = { disablePadding: !padded }
    const aes = name.endsWith("ecb") ? ecb(key, options) : cbc(key, iv ?? new Uint8Array(16), options)
    return aes[direction](data)
  }
  const cipher: Cipher = {
    setAutoPadding: (on) => {
      padded = on
      return cipher
    },
    // What verifies gives all of its data at once. Without padding there is nothing left for the end.
    update: (data) => {
      if (!padded) return Buffer.from(run(data))
      last = Buffer.concat([last, data])
      return Buffer.alloc(0)
    },
    final: () => Buffer.from(padded ? run(last) : []),
  }
  return cipher
}
