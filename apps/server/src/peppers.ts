import { createHmac } from "node:crypto"
import type { Hashes } from "@paraph/core/login/hashes"
import type { Config } from "./config.ts"

export type Pepper = {
  /** 64 bits of a PRF under the pepper: equal for equal peppers, and of no help to find it. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The pepper that makes new hashes, then those that were in use before and still verify (ADR 0096). */
export type Peppers = { readonly current: Pepper; readonly earlier: readonly Pepper[] }

export const peppersOf = ({ KEY_PEPPER, KEY_PEPPER_EARLIER }: PepperSettings): Peppers => ({
  current: pepperIn(KEY_PEPPER),
  earlier: KEY_PEPPER_EARLIER.filter((hex) => hex.toLowerCase() !== KEY_PEPPER.toLowerCase()).map(pepperIn),
})

type PepperSettings = Pick<Config, "KEY_PEPPER" | "KEY_PEPPER_EARLIER">

/** One hash for each pepper. */
export const hashesWith = (
  { current, earlier }: Peppers,
  hash: (pepper: Uint8Array) => Uint8Array,
): Hashes => ({
  pepperId: current.id,
  current: hash(current.bytes),
  earlier: earlier.map(({ bytes }) => hash(bytes)),
})

/** The current one first. */
export const everyPepper = ({ current, earlier }: Peppers): readonly [Uint8Array, ...Uint8Array[]] => [
  current.bytes,
  ...earlier.map(({ bytes }) => bytes),
]

function pepperIn(hex: string): Pepper {
  const bytes = Buffer.from(hex, "hex")
  return {
    id: createHmac("sha256", bytes).update("paraph: id of a pepper").digest("hex").slice(0, 16),
    bytes,
  }
}
