import { createHash, randomBytes } from "node:crypto"

/** Of a certificate or a time-stamp, given what it is about. RFC 5280, 4.1.2.2: positive, and at most 20 octets. */
export type NewSerialNumber = (about: Uint8Array) => bigint

export const randomSerialNumber: NewSerialNumber = () => numberOf(randomBytes(16))

/** For a sandbox that repeats itself. */
export const serialNumberFrom =
  (seed: string): NewSerialNumber =>
  (about) =>
    numberOf(createHash("sha256").update(`serial number ${seed}\n`).update(about).digest().subarray(0, 16))

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`) | 1n
