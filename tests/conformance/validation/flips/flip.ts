// One octet of a signed document is another one. Whoever signed that octet must no longer be believed.

import { PdfRefused } from "@paraph/pades/refused"
import type { Random } from "../../../fuzz/random.ts"
import type { Document } from "./documents.ts"
import { judge, passedFields, type SignedPart, type Span } from "./signed-part.ts"

export type Flip = { readonly at: number; readonly to: number }

export type Flipped = {
  /** What was said: refused and why, or the indication of the first of those who signed the octet. */
  readonly outcome: string
  /** Set where it should never have been said. */
  readonly fault?: string
}

/** The ends of each range bit by bit, every octet that is signed in an order that nobody chose, and then once more. */
export function* flipsInRanges({ bytes, parts }: Document, random: Random): Generator<Flip> {
  const at = (position: number) => bytes[position] ?? 0
  const ranges = parts.flatMap((part) => part.ranges).filter(({ start, end }) => end > start)
  for (const position of new Set(ranges.flatMap(({ start, end }) => [start, end - 1])))
    for (let bit = 0; bit < 8; bit++) yield { at: position, to: at(position) ^ (1 << bit) }
  const positions = shuffled(positionsIn(ranges), random)
  while (positions.length > 0)
    for (const position of positions) yield { at: position, to: another(at(position), random) }
}

/** Every digit of what a signer made, once. */
export function* flipsInSignatures({ bytes, parts }: Document, random: Random): Generator<Flip> {
  for (const position of shuffled(positionsIn(parts.flatMap((part) => part.digits)), random))
    yield { at: position, to: anotherDigit(bytes[position] ?? 0, random) }
}

/** A bit of it, or any other octet. */
function another(octet: number, random: Random): number {
  return octet ^ (random.chance(0.5) ? 1 << random.below(8) : 1 + random.below(255))
}

/** Of another value: the same digit in the other case says the same. */
function anotherDigit(octet: number, random: Random): number {
  const value = Number.parseInt(String.fromCharCode(octet), 16)
  return (value ^ (1 + random.below(15))).toString(16).charCodeAt(0)
}

function positionsIn(spans: readonly Span[]): number[] {
  const all = new Set<number>()
  for (const { start, end } of spans) for (let at = start; at < end; at++) all.add(at)
  return [...all]
}

/** Fisher and Yates. */
function shuffled(items: number[], random: Random): readonly number[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[items[last], items[other]] = [items[other] ?? 0, items[last] ?? 0]
  }
  return items
}

export async function judgeFlip(document: Document, { at, to }: Flip): Promise<Flipped> {
  const bytes = Uint8Array.from(document.bytes)
  bytes[at] = to
  const isSameDigit =
    String.fromCharCode(document.bytes[at] ?? 0).toLowerCase() === String.fromCharCode(to).toLowerCase()
  const untouched = document.parts
    .filter((part) => !isSignedBy(part, at, isSameDigit))
    .map(({ field }) => field)
  try {
    const report = await judge(document, bytes)
    const wrong = passedFields(report).filter((field) => !untouched.includes(field))
    const [said] = [...report.signatures, ...report.timestamps]
      .filter(({ field }) => field === undefined || !untouched.includes(field))
      .map(({ indication, subIndication = "" }) => `${indication} ${subIndication}`.trim())
    const outcome = wrong.length > 0 ? "PASSED" : (said ?? "no longer a signature")
    return wrong.length === 0 ? { outcome } : { outcome, fault: `believed: ${wrong.join(", ")}` }
  } catch (error) {
    if (error instanceof PdfRefused) return { outcome: `refused: ${error.code}` }
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { outcome: "an error", fault }
  }
}

/** Its digits say the same in the other case: then only whoever signed the file around them, later, signed this octet. */
const isSignedBy = ({ ranges, digits }: SignedPart, at: number, isSameDigit: boolean): boolean =>
  [...ranges, ...(isSameDigit ? [] : digits)].some(({ start, end }) => at >= start && at < end)
