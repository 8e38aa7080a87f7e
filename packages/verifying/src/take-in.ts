// What somebody hands over, told apart by its content. Whom to trust is never taken from among the files that are checked.

import { EvidenceRefused } from "@paraph/evidence/refused"
import { readStory, type Story } from "@paraph/evidence/story"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { DerError } from "@paraph/pki/der"
import { type NoteKey, readVerifierKey } from "@paraph/tlog/note-key"
import { TlogRefused } from "@paraph/tlog/refused"

export type GivenFile = {
  readonly name: string
  readonly bytes: Uint8Array
  /** Of a file that was too large to be read at all. */
  readonly size?: number
}

export type TakenIn =
  | { readonly kind: "pdf" }
  | { readonly kind: "story"; readonly story: Story }
  | { readonly kind: "other"; readonly problem: "unknown" | "story" | "too-large" | "archive" }

/** Of the largest story that a request can have, with room to spare. */
export const MAX_STORY_BYTES = 100_000_000
/** What is more than any document of ours is not read into memory to be refused. */
export const MAX_FILE_BYTES = 500_000_000

export function takeIn({ bytes, size = bytes.length }: GivenFile): TakenIn {
  if (size > MAX_FILE_BYTES) return { kind: "other", problem: "too-large" }
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return { kind: "pdf" }
  if (isArchive(bytes)) return { kind: "other", problem: "archive" }
  if (!/^\s*\{/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1")))
    return { kind: "other", problem: "unknown" }
  if (bytes.length > MAX_STORY_BYTES) return { kind: "other", problem: "too-large" }
  const story = storyIn(bytes)
  return story === undefined ? { kind: "other", problem: "story" } : { kind: "story", story }
}

/** Begun as ZIP archives are (APPNOTE 4.3.7). Whoever can open it has it checked as one. */
export const isArchive = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "PK\u0003\u0004"

/** Nothing where it is not written as a story is. */
export function storyIn(bytes: Uint8Array): Story | undefined {
  try {
    const story = readStory(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
    // The key it names is shown to people: it must be one.
    readVerifierKey(story.log.key)
    return story
  } catch (error) {
    if (error instanceof EvidenceRefused || error instanceof TlogRefused || error instanceof TypeError)
      return undefined
    throw error
  }
}

/** What was given as trusted and is not what it should be; `message` is for people who know what they gave. */
export class TrustNotUnderstood extends Error {
  override readonly name = "TrustNotUnderstood"
}

const MAX_TRUSTED_BYTES = 10_000_000

/** Certificates, as PEM (RFC 7468) or one as DER. One that is damaged is an error: trust that is read in part is another one. */
export function trustedCertificates({ name, bytes, size = bytes.length }: GivenFile): readonly Certificate[] {
  if (size > MAX_TRUSTED_BYTES) throw new TrustNotUnderstood(`${name} is too large.`)
  try {
    if (bytes[0] === 0x30) return [readCertificate(bytes)]
    const text = Buffer.from(bytes).toString("latin1")
    const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)]
    const begun = text.split("-----BEGIN CERTIFICATE-----").length - 1
    if (blocks.length === 0 || blocks.length !== begun) throw new DerError("no certificate in PEM")
    return blocks.map(([, inner = ""]) => readCertificate(decoded(inner)))
  } catch (error) {
    if (error instanceof DerError) throw new TrustNotUnderstood(`${name} holds no certificate in PEM or DER.`)
    throw error
  }
}

function decoded(base64: string): Uint8Array {
  const compact = base64.replace(/\s/g, "")
  const bytes = Buffer.from(compact, "base64")
  if (bytes.toString("base64") !== compact) throw new DerError("not Base64")
  return bytes
}

/** Keys of logs, one in each line, as C2SP writes them; empty lines and those that begin with # are passed over. */
export function trustedLogKeys(text: string): readonly NoteKey[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const keys = lines.filter((line) => line !== "" && !line.startsWith("#")).map(logKey)
  if (keys.length === 0) throw new TrustNotUnderstood("There is no key of a log.")
  return keys
}

function logKey(line: string): NoteKey {
  try {
    const key = readVerifierKey(line)
    if (key.type === "ed25519") return key
  } catch (error) {
    if (!(error instanceof TlogRefused)) throw error
  }
  throw new TrustNotUnderstood(
    "The key of a log is one line: its name, its number and the key, parted by a plus.",
  )
}
