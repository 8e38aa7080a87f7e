// What a widget or an annotation shows (ISO 32000-2, 12.5.5): streams for its three states of use, or one for each of
// its own states. They may be drawn anew where their owner may change; where they are drawn is bounded by its rectangle.

import { PdfRefused } from "../refused.ts"
import { readStream } from "../structure/document.ts"
import { isSpent } from "../syntax/limits.ts"
import { isWhite } from "../syntax/scan.ts"
import { entry, isArray, isDict, isRef, type PdfDict, type PdfValue } from "../syntax/value.ts"
import { type DictPlace, differ, isDictPlace, isNew, type Place, type Step, under } from "./step.ts"
import { entryOf, referred, type View, valueIn } from "./view.ts"

const USES = ["N", "R", "D"] as const

export type Appearance = {
  readonly isChanged: boolean
  /** It draws nothing. */
  readonly isBlank: boolean
  /** What must not be in an appearance that somebody adds. */
  readonly fault: string | undefined
}

/** How the appearance differs; `before` is nothing for a new widget. */
export function compareAppearance(step: Step, before: DictPlace | undefined, after: DictPlace): Appearance {
  const old = before === undefined ? undefined : under(step, before, "AP")
  const now = under(step, after, "AP")
  const streams = streamsOf(step, now)
  const known = old === undefined ? [] : streamsOf(step, old)
  const isTouched = (places: readonly Place[]) => places.some(({ home }) => step.changed.has(home))
  const isChanged =
    old === undefined
      ? now.value !== null
      : differ(old, now) || isTouched(streams) || isTouched(known) || streams.length !== known.length
  // Who draws a field anew must not have drawn something else with it.
  if (isChanged && before !== undefined && old !== undefined && old.home !== before.home)
    step.alone.add(old.home)
  const isBlank = before === undefined && streams.every(drawsNothing)
  if (!isChanged || now.value === null) return { isChanged, isBlank, fault: undefined }
  if (!isDictPlace(now) || now.isStream) return { isChanged, isBlank: false, fault: now.path }
  const odd = streams.find((place) => !place.isStream && place.value !== null)
  return { isChanged, isBlank, fault: odd?.path ?? freshFault(step, streams) }
}

/**
 * Whether an annotation always shows the same: "one" appearance stream, in use (/N) and, where the entry exists, under
 * the pointer (/R) and pressed (/D); "none" at all; or "several", of which the pictures of a page show only one.
 */
export function readAppearance(view: View, annotation: PdfDict): "one" | "none" | "several" {
  const appearances = valueIn(view, entry(annotation, "AP"))
  if (appearances === null) return "none"
  if (!isDict(appearances)) return "several"
  const normal = entry(appearances, "N")
  const isSame = (other: PdfValue) =>
    other === null || (isRef(other) && isRef(normal) && other.number === normal.number)
  if (![entry(appearances, "R"), entry(appearances, "D")].every(isSame)) return "several"
  if (valueIn(view, normal) === null) return "none"
  const isStream = isRef(normal) && referred(view, normal).streamAt !== undefined
  return isStream ? "one" : "several"
}

/** Whether /F (12.5.3) is a number that sets no other flags than these. */
export function hasFlagsOf(view: View, annotation: PdfDict, allowed: number): boolean {
  const flags = valueIn(view, entry(annotation, "F"))
  return flags === null || (typeof flags === "number" && Number.isInteger(flags) && (flags & ~allowed) === 0)
}

// 12.5.3, table 167: Hidden, Print, NoView, ReadOnly, Locked, LockedContents. The pictures show a widget with NoView too;
// NoZoom and NoRotate draw outside of the rectangle, ToggleNoView under the pointer, Invisible in some readers.
const SIGNATURE_FLAGS = 2 | 4 | 32 | 64 | 128 | 512

/** What makes a signature look otherwise than in the pictures of its page: the path of the entry. */
export function hiddenAppearance({ view, value, path }: DictPlace): string | undefined {
  if (readAppearance(view, value) === "several") return `${path}/AP`
  return hasFlagsOf(view, value, SIGNATURE_FLAGS) ? undefined : `${path}/F`
}

const MAX_BLANK_BYTES = 4_096

function drawsNothing({ view, home, value }: Place): boolean {
  if (value === null) return true
  try {
    const generation = entryOf(view, home)
    const ref = {
      type: "ref",
      number: home,
      generation: generation?.kind === "plain" ? generation.generation : 0,
    } as const
    const content = readStream(view.pdf, ref, MAX_BLANK_BYTES)?.bytes
    return content?.every(isWhite) === true
  } catch (error) {
    if (error instanceof PdfRefused && !isSpent(view.pdf.budget)) return false
    throw error
  }
}

function streamsOf(step: Step, appearance: Place): readonly Place[] {
  if (!isDictPlace(appearance)) return []
  return USES.flatMap((use) => {
    const place = under(step, appearance, use)
    if (place.isStream || !isDictPlace(place)) return place.value === null ? [] : [place]
    return [...place.value.entries.keys()].map((state) => under(step, place, state))
  })
}

/** 8.11, 8.10.4, 14.11.7, 7.11: what is shown now and then, or comes from elsewhere. */
const ELSEWHERE = ["OC", "Ref", "OPI", "Alternates", "F"]

/** Goes through all that these streams bring along; what was there before is not theirs. */
export function freshFault(step: Step, places: readonly Place[]): string | undefined {
  const seen = new Set<number>()
  const stack: { value: PdfValue; view: View; path: string; isStream: boolean }[] = [...places]
  for (const { home } of places) seen.add(home)
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, view, path, isStream } = next
    if (isRef(value)) {
      if (seen.has(value.number) || !isNew(step, value.number)) continue
      seen.add(value.number)
      const stored = referred(view, value)
      stack.push({ value: stored.value, view, path, isStream: stored.streamAt !== undefined })
    } else if (isArray(value))
      for (const item of value.items) stack.push({ value: item, view, path, isStream: false })
    else if (isDict(value)) {
      const odd = isStream ? ELSEWHERE.find((key) => entry(value, key) !== null) : undefined
      if (odd !== undefined) return `${path}/${odd}`
      for (const [key, { value: inner }] of value.entries)
        stack.push({ value: inner, view, path: path.length > 200 ? path : `${path}/${key}`, isStream: false })
    }
  }
  return undefined
}
