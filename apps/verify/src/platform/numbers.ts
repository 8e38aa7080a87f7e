// Numbers as octets, the most significant first (RFC 8017, 4), and powers modulo one: public values only, so the time it takes may
// tell whatever it likes.

export function numberOf(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString("hex")
  return hex === "" ? 0n : BigInt(`0x${hex}`)
}

export function octetsOf(number: bigint, length: number): Uint8Array {
  return Buffer.from(number.toString(16).padStart(length * 2, "0"), "hex")
}

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result % modulus
}

export function bitsOf(number: bigint): number {
  return number.toString(2).length
}
