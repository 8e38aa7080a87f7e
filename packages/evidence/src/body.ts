// One thing that happened, in the one way in which it can be written (JSON canonicalised by RFC 8785): what is hashed, sealed,
// logged and shown years later are the same octets.

import canonicalize from "canonicalize"
import { EvidenceRefused } from "./refused.ts"

export type EvidenceBody = {
  /** Of this format. */
  readonly v: 1
  /** The request, or the order of a seal, whose story it belongs to. */
  readonly request: string
  /** Counted from 1 within the story, without a gap. */
  readonly seq: number
  readonly type: string
  /** ISO 8601, UTC, to the millisecond. */
  readonly at: string
  readonly signature?: string
  readonly data: Readonly<Record<string, string | number | null>>
}

export function writeBody(body: EvidenceBody): Uint8Array {
  const told = canonicalize(body)
  if (told === undefined) throw new EvidenceRefused("A body that cannot be written.")
  const bytes = Buffer.from(told, "utf8")
  // What would not be read back must not be logged.
  readBody(bytes)
  return bytes
}

const MAX_BYTES = 60_000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TYPE = /^[a-z][a-z-]*\.[a-z][a-z-]*$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const MEMBERS: ReadonlySet<string> = new Set(["v", "request", "seq", "type", "at", "signature", "data"])

export function readBody(bytes: Uint8Array): EvidenceBody {
  if (bytes.length > MAX_BYTES) throw new EvidenceRefused("A body that is too long.")
  const parsed = parse(bytes)
  if (!isBody(parsed)) throw new EvidenceRefused("A body that says something else than evidence.")
  if (spelt(parsed) !== Buffer.from(bytes).toString("utf8"))
    throw new EvidenceRefused("A body in another spelling.")
  return parsed
}

/** What RFC 8785 has no spelling for (numbers without an end, halves of characters) is none. */
function spelt(parsed: EvidenceBody): string | undefined {
  try {
    return canonicalize(parsed)
  } catch {
    return undefined
  }
}

const isTime = (at: string): boolean => !Number.isNaN(Date.parse(at)) && new Date(at).toISOString() === at

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new EvidenceRefused("A body that is no JSON.")
  }
}

function isBody(it: unknown): it is EvidenceBody {
  if (!isObject(it) || Object.keys(it).some((member) => !MEMBERS.has(member))) return false
  const { v, request, seq, type, at, signature, data } = it
  return (
    v === 1 &&
    isMatch(request, UUID) &&
    Number.isSafeInteger(seq) &&
    Number(seq) > 0 &&
    isMatch(type, TYPE) &&
    isMatch(at, TIME) &&
    isTime(at) &&
    (signature === undefined || isMatch(signature, UUID)) &&
    isObject(data) &&
    Object.values(data).every((value) => value === null || ["string", "number"].includes(typeof value))
  )
}

function isMatch(it: unknown, pattern: RegExp): it is string {
  return typeof it === "string" && pattern.test(it)
}

function isObject(it: unknown): it is Record<string, unknown> {
  return typeof it === "object" && it !== null && !Array.isArray(it)
}
