import { randomBytes } from "node:crypto"

export function randomSerialNumber(): bigint {
  // RFC 5280, 4.1.2.2: positive, and at most 20 octets.
  return BigInt(`0x${randomBytes(16).toString("hex")}`) | 1n
}
