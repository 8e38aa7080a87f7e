// That an entry is in a log, in one text that can be checked without asking anybody (C2SP tlog-proof).

import { HASH_BYTES } from "./hash.ts"
import { TlogRefused } from "./refused.ts"

export type TlogProof = {
  readonly index: number
  readonly path: readonly Uint8Array[]
  /** The checkpoint as it was signed. */
  readonly checkpoint: string
}

const FIRST_LINE = "c2sp.org/tlog-proof@v1"

export function writeTlogProof({ index, path, checkpoint }: TlogProof): string {
  const hashes = path.map((hash) => `${Buffer.from(hash).toString("base64")}\n`)
  return `${FIRST_LINE}\nindex ${index}\n${hashes.join("")}\n${checkpoint}`
}

/** What is said beside the proof is proved by nothing, so it must not be there. */
export function readTlogProof(text: string): TlogProof {
  const end = text.indexOf("\n\n")
  const [first, told = "", ...hashes] = text.slice(0, Math.max(0, end)).split("\n")
  const index = Number(/^index (0|[1-9]\d{0,15})$/.exec(told)?.[1] ?? Number.NaN)
  if (first !== FIRST_LINE || !Number.isSafeInteger(index) || hashes.length > MAX_HASHES)
    throw new TlogRefused("A text that is no proof of a log.")
  const path = hashes.map((encoded) => {
    const hash = Buffer.from(encoded, "base64")
    if (hash.length !== HASH_BYTES || hash.toString("base64") !== encoded)
      throw new TlogRefused("A line of a proof that is no hash.")
    return hash
  })
  return { index, path, checkpoint: text.slice(end + 2) }
}

// As high as a tree can be.
const MAX_HASHES = 63
