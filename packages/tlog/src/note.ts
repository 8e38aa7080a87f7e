// Signed notes: a text, and below it lines of those who signed it (C2SP signed-note, "Format").

import { TlogRefused } from "./refused.ts"

export type NoteSignature = {
  readonly name: string
  /** Four octets; with the name they say which key it is. */
  readonly keyId: Uint8Array
  readonly value: Uint8Array
}

export type Note = {
  /** With its last newline, as it was signed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

const MAX_BYTES = 1_000_000
const MAX_SIGNATURES = 100
const KEY_ID_BYTES = 4
const LINE = /^— (?<name>[^\s+]+) (?<value>[A-Za-z0-9+/]+={0,2})$/u

export function readNote(bytes: Uint8Array): Note {
  if (bytes.length > MAX_BYTES) throw new TlogRefused("A note that is too long.")
  const told = decoded(bytes)
  // The last empty line parts the two; the text may have empty lines of its own.
  const end = told.lastIndexOf("\n\n")
  if (end < 0 || !told.endsWith("\n")) throw new TlogRefused("A note without signatures.")
  const lines = told.slice(end + 2, -1).split("\n")
  if (lines.length > MAX_SIGNATURES) throw new TlogRefused("A note with too many signatures.")
  return { text: told.slice(0, end + 1), signatures: lines.map(readSignatureLine) }
}

export function readSignatureLine(line: string): NoteSignature {
  const { name, value } = LINE.exec(line)?.groups ?? {}
  const bytes = Buffer.from(value ?? "", "base64")
  // One way to write each: what Base64 leaves over must be nothing.
  if (name === undefined || bytes.length <= KEY_ID_BYTES || bytes.toString("base64") !== value)
    throw new TlogRefused("A line that is no signature of a note.")
  return { name, keyId: bytes.subarray(0, KEY_ID_BYTES), value: bytes.subarray(KEY_ID_BYTES) }
}

export function writeNote({ text, signatures }: Note): string {
  if (!text.endsWith("\n") || hasControls(text)) throw new TlogRefused("A text that no note may have.")
  return `${text}\n${signatures.map(writeSignatureLine).join("")}`
}

export function writeSignatureLine({ name, keyId, value }: NoteSignature): string {
  const line = `— ${name} ${Buffer.concat([keyId, value]).toString("base64")}`
  if (!LINE.test(line)) throw new TlogRefused("A name that no key may have.")
  return `${line}\n`
}

function decoded(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!hasControls(text)) return text
  } catch {
    // Told below: whether it is no UTF-8 or has controls does not matter.
  }
  throw new TlogRefused("A note that is not plain text.")
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\u0000-\u0009\u000b-\u001f]/.test(text)
}
