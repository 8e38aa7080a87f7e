// What a log and a witness say to each other (C2SP tlog-witness, "add-checkpoint").

import { type NoteSignature, readSignatureLine } from "./note.ts"
import { TlogRefused } from "./refused.ts"

export type AddCheckpoint = {
  /** The size that the witness has seen last; 0 where it has seen none. */
  readonly older: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: string
}

export function writeAddCheckpoint({ older, proof, checkpoint }: AddCheckpoint): string {
  const hashes = proof.map((hash) => `${Buffer.from(hash).toString("base64")}\n`)
  return `old ${older}\n${hashes.join("")}\n${checkpoint}`
}

const MAX_LINES = 20

/** The lines of 200: signatures, which whoever adds them to a checkpoint still has to verify. */
export function readCosignatures(body: string): readonly NoteSignature[] {
  const lines = body.split("\n")
  if (lines.pop() !== "" || lines.length === 0 || lines.length > MAX_LINES)
    throw new TlogRefused("An answer that is no list of signatures.")
  return lines.map(readSignatureLine)
}

/** The size in 409: what the witness has seen last. */
export function readKnownSize(body: string): number {
  const size = /^(?:0|[1-9]\d{0,15})\n$/.test(body) ? Number(body.trimEnd()) : Number.NaN
  if (!Number.isSafeInteger(size)) throw new TlogRefused("An answer that is no size of a tree.")
  return size
}
