import { Refusal } from "@paraph/core/refusal"
import { type JsonRest, notJson } from "./json-rest.ts"

/**
 * Follows a JSON text just closely enough to know which member of the outermost object a string is the value of. It
 * takes texts that are not JSON; whoever parses the rest refuses them, and where the rest is JSON, so was the whole.
 */
export type JsonOutline = {
  /** Hands what it reads to the rest, up to the end or to the place where the string named so begins. */
  readonly read: (bytes: Buffer, from: number) => number
  /** Whether it stopped because that string begins. It goes on with the quotation mark that ends it. */
  readonly inside: () => boolean
}

/** Security, R09. */
const MAX_DEPTH = 20
/** Ours: of the outermost object, each of which is looked at. */
const MAX_MEMBERS = 1_000

type Place = "start" | "name" | "colon" | "value" | "within" | "end"

export function createJsonOutline(wanted: string, rest: JsonRest): JsonOutline {
  const names = new Set<unknown>()
  let place: Place = "start"
  let depth = 0
  let inString = false
  let escaping = false
  let nameFrom = 0
  let isWanted = false
  let found = false

  function takeName(): void {
    const name = rest.stringFrom(nameFrom)
    if (names.has(name)) throw new Refusal("constraint-violated", "A member of the body is given twice.")
    if (names.size === MAX_MEMBERS)
      throw new Refusal("constraint-violated", `A body has at most ${MAX_MEMBERS} members.`)
    names.add(name)
    isWanted = name === wanted
    place = "colon"
  }

  /** A byte outside of strings that is no white space. */
  function step(byte: number | undefined): void {
    if (place === "within" || place === "value") within(byte)
    else if (place === "start" && byte === BRACE) {
      depth = 1
      place = "name"
    } else if (place === "name" && byte === QUOTE) inString = true
    else if (place === "name" && byte === BRACE_END) place = "end"
    else if (place === "colon" && byte === COLON) place = "value"
    else throw notJson()
  }

  function within(byte: number | undefined): void {
    found = place === "value" && isWanted && byte === QUOTE
    place = "within"
    if (byte === QUOTE) inString = true
    else if (byte === BRACE || byte === BRACKET) {
      depth += 1
      if (depth > MAX_DEPTH)
        throw new Refusal("constraint-violated", `A body is nested at most ${MAX_DEPTH} levels deep.`)
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      depth -= 1
      if (depth === 0) place = "end"
    } else if (byte === COMMA && depth === 1) place = "name"
  }

  function read(bytes: Buffer, from: number): number {
    found = false
    let kept = from
    const keepUpTo = (end: number) => {
      rest.append(bytes.subarray(kept, end))
      kept = end
    }
    for (let i = from; i < bytes.length && !found; i++) {
      if (inString) {
        i = endOfString(bytes, escaping ? i + 1 : i)
        escaping = i > bytes.length
        inString = i >= bytes.length
        if (inString || place !== "name") continue
        keepUpTo(i + 1)
        takeName()
      } else if (!isWhiteSpace(bytes[i])) {
        step(bytes[i])
        if (place === "name" && inString) nameFrom = rest.length() + i - kept
        if (found) keepUpTo(i + 1)
      }
    }
    if (!found) keepUpTo(bytes.length)
    return kept
  }

  return { read, inside: () => found }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const BRACE = 0x7b
const BRACE_END = 0x7d
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const SPACE = 0x20
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Where the quotation mark is that ends a string. Where there is none, the length of the bytes, or one more when they
 * end between a backslash and what it escapes.
 */
function endOfString(bytes: Buffer, from: number): number {
  let i = from
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1
  return i
}

/** RFC 8259, 2. */
function isWhiteSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB
}
