import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

export type BounceAddresses = {
  /** Where a mail to this signer is sent back to; undefined where the operator has no address for it. */
  readonly of: (signatureId: string) => string | undefined
  /** The signature whose mail came back to this address; null when the address is not one of ours. */
  readonly signatureOf: (address: string) => string | null
}

/** Enough that nobody guesses one (2⁸⁰), and few enough that the local part stays below 64 octets (RFC 5321, 4.5.3.1.1). */
const PROOF_BYTES = 10
const ID_BYTES = 16

/**
 * A mail to a signer leaves with an address of its own to come back to (VERP): the signature's id, and a proof that we
 * made it. So nobody reports a mail of somebody else as undeliverable. Letters and digits in one case only, since mail
 * servers on the way may change it.
 */
export function createBounceAddresses(
  pattern: string,
  pepper: Uint8Array,
  earlier: readonly Uint8Array[] = [],
): BounceAddresses {
  const prove = provingWith(pepper)
  const proofs = [prove, ...earlier.map(provingWith)]
  const [before = "", after = ""] = pattern.toLowerCase().split("{id}")
  return {
    of: (signatureId) => {
      if (pattern === "") return undefined
      const id = Buffer.from(signatureId.replaceAll("-", ""), "hex")
      return before + inBase32(Buffer.concat([id, prove(id)])) + after
    },
    signatureOf: (address) => {
      const given = address.toLowerCase()
      if (pattern === "" || !given.startsWith(before) || !given.endsWith(after)) return null
      const bytes = fromBase32(given.slice(before.length, given.length - after.length))
      if (bytes?.length !== ID_BYTES + PROOF_BYTES) return null
      const [id, proof] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)]
      return proofs.some((each) => timingSafeEqual(proof, each(id))) ? uuidOf(id) : null
    },
  }
}

function provingWith(pepper: Uint8Array) {
  const key = Buffer.from(hkdfSync("sha256", pepper, "", "paraph bounce address", 32))
  return (id: Uint8Array) => createHmac("sha256", key).update(id).digest().subarray(0, PROOF_BYTES)
}

const uuidOf = (id: Uint8Array): string =>
  Buffer.from(id)
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** RFC 4648, 6, in small letters and without padding. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567"

function inBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => LETTERS[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** Null for what `inBase32` would not have written. */
function fromBase32(text: string): Buffer | null {
  if (text.length > 64 || !/^[a-z2-7]+$/.test(text)) return null
  const bits = Array.from(text, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("")
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return inBase32(bytes) === text ? bytes : null
}
