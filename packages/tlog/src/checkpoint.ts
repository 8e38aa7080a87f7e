// The head of a log, as a note (C2SP tlog-checkpoint).

import { HASH_BYTES } from "./hash.ts"
import { type Note, type NoteSignature, readNote, writeNote } from "./note.ts"
import { keyIdOf, messageOf, type NoteKey, type Signer, signersOf } from "./note-key.ts"
import { TlogRefused } from "./refused.ts"
import type { Head } from "./verify-proof.ts"

export type Checkpoint = Head & {
  /** Which log it is. */
  readonly origin: string
}

export function writeCheckpoint({ origin, size, root }: Checkpoint): string {
  if (origin === "" || origin.includes("\n")) throw new TlogRefused("A log without a name.")
  return `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`
}

/** Of lines behind the third nobody who watches a log can say anything, so there must be none. */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = "", told = "", encoded = "", ...rest] = text.split("\n")
  const size = /^(?:0|[1-9]\d{0,15})$/.test(told) ? Number(told) : Number.NaN
  const root = Buffer.from(encoded, "base64")
  const checkpoint = { origin, size, root }
  if (
    origin === "" ||
    !Number.isSafeInteger(size) ||
    root.length !== HASH_BYTES ||
    rest.length !== 1 ||
    writeCheckpoint(checkpoint) !== text
  )
    throw new TlogRefused("A note that is no checkpoint.")
  return checkpoint
}

/** The head, signed by the log; `sign` makes an Ed25519 signature over the bytes. */
export async function signCheckpoint(
  key: Omit<NoteKey, "type">,
  head: Head,
  sign: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const ofLog: NoteKey = { ...key, type: "ed25519" }
  const text = writeCheckpoint({ origin: key.name, ...head })
  const value = await sign(messageOf("ed25519", text))
  return writeNote({ text, signatures: [{ name: key.name, keyId: keyIdOf(ofLog), value }] })
}

export type OpenedCheckpoint = Checkpoint & {
  readonly note: Note
  /** Whoever of those asked for has seen it, and when. */
  readonly witnesses: readonly Signer[]
}

/** The checkpoint of that log, if its key has signed it and nobody's known signature is wrong; else undefined. */
export function openCheckpoint(
  bytes: Uint8Array,
  log: NoteKey,
  witnesses: readonly NoteKey[] = [],
): OpenedCheckpoint | undefined {
  const note = readNote(bytes)
  const checkpoint = readCheckpoint(note.text)
  const signers = signersOf(note, [log, ...witnesses])
  if (signers === "wrong" || checkpoint.origin !== log.name) return undefined
  if (!signers.some(({ key }) => key === log)) return undefined
  return { ...checkpoint, note, witnesses: signers.filter(({ key }) => key !== log) }
}

/** With what others have added. */
export function withSignatures(note: Note, more: readonly NoteSignature[]): string {
  return writeNote({ ...note, signatures: [...note.signatures, ...more] })
}
