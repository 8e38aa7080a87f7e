// What an attack is: a technique, upon a signed document.

import type { SignedBase } from "./signed.ts"

export type AttackClass =
  | "USF"
  | "ISA"
  | "SWA"
  | "shadow-hide"
  | "shadow-replace"
  | "shadow-hide-and-replace"
  | "EAA"
  | "SSA"
  | "spoofed-dictionary"
  | "value-against-appearance"
  | "form"
  | "font-swap"
  | "image-swap"
  | "content-swap"
  | "page"
  | "layers"
  | "action"
  | "document"
  | "structure"
  | "security-store"
  | "timestamp"
  | "certification"

/**
 * What a strict judge says at least: that a change has no explanation, that the pages look different, or that the
 * signature itself is not one.
 */
export type Expected = "undefined" | "visual" | "failed"

export type Technique = {
  readonly class: AttackClass
  readonly name: string
  readonly expected: Expected | ((base: SignedBase) => Expected)
  /** Upon which bases. */
  readonly on: (base: SignedBase) => boolean
  readonly make: (base: SignedBase) => Uint8Array
}

export type Attack = {
  readonly name: string
  readonly class: AttackClass
  readonly technique: string
  readonly base: string
  /** P of the certification. */
  readonly level: SignedBase["certified"]
  readonly expected: Expected
  /** "appended": the file begins with the signed one; "in-place": some of its bytes were changed. */
  readonly how: "appended" | "in-place"
  /** How long the signed file was. */
  readonly signedBytes: number
  readonly bytes: Uint8Array
}
