// What stands between preparing and finishing a signature. Plain JSON: it is stored, and resumed days later in another
// process, when a person has released the signature at a remote provider.

import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"

export type Prepared = {
  readonly baseLength: number
  /** SHA-256 of the base, hexadecimal: the tail belongs behind these bytes and no others. */
  readonly baseSha256: string
  /** Base64. What will be appended, with zeros in the hole. */
  readonly tail: string
  /** The gap of the byte range, angle brackets included, counted from the start of the whole file. */
  readonly hole: { readonly start: number; readonly length: number }
  readonly byteRange: readonly [number, number, number, number]
  /** Base64, DER. The bytes that the key signs. */
  readonly signedAttributes: string
  /** Base64, DER. */
  readonly certificate: string
  readonly chain: readonly string[]
  readonly algorithm: SignatureAlgorithm
  /** The signature field asks for it (ISO 32000-2, table 237). */
  readonly timestampRequired?: boolean
}
