// One page of two revisions: drawn at a resolution at which the smallest print can be read, in parts where it is large, until
// there is a difference or nothing is left to look at.

import {
  type Allowed,
  type AllowedChange,
  comparePictures,
  type DifferenceKind,
  largestSignature,
} from "@paraph/validation/visual"
import { around, type Box, moved, type Raster } from "@paraph/validation/visual-picture"
import type { Spot } from "@paraph/validation/visual-spots"
import type { DrawnPage, Rect, Size, Way } from "./drawn-page.ts"

export type AllowedArea = {
  readonly rect: Rect
  readonly why: AllowedChange
  /** The value of the text field that is there: what it shows must say the same. */
  readonly says?: string
}

/**
 * "page": one of the two has no such page; "size": it has another size, or is turned; "says-otherwise": a field shows
 * another text than its value.
 */
export type PageDifferenceKind = DifferenceKind | "page" | "size" | "says-otherwise"

export type PageCompared = {
  /** Counted from 0. */
  readonly page: number
  readonly different: boolean
  readonly kinds: readonly PageDifferenceKind[]
  /** Around what is different, in the coordinates of the page. */
  readonly area?: Rect
  /** The part of the page that looks different, allowed or not: 0 to 1. */
  readonly share: number
}

export type Pair = { readonly before: DrawnPage; readonly after: DrawnPage }
/** Spots are in pixels of a picture of size `whole`; `way` is where they are seen. */
export type Looked = {
  readonly said: Omit<PageCompared, "page">
  readonly spots: readonly Spot[]
  readonly whole: Size
  readonly way: Way
}

/** 8 pt print is 11 pixels high: every letter differs from every other by many pixels, a comma from a point by some. */
const DOTS_PER_INCH = 100
const POINTS_PER_INCH = 72
/** The side of a part; an A4 page is one part. */
const PART_PIXELS = 2048
/** More than this many places where a page may change are no form that people fill in; the rest counts as not allowed. */
const MAX_AREAS = 1000
const MAX_SPOTS = 200
/** Points. */
const SAME_SIZE = 0.01

export function isSameShape({ before, after }: Pair): boolean {
  return (
    before.rotation === after.rotation &&
    Math.abs(before.width - after.width) < SAME_SIZE &&
    Math.abs(before.height - after.height) < SAME_SIZE
  )
}

export function pixelsOf({ width, height }: Size): Size {
  const pixels = (points: number) => Math.max(1, Math.round((points * DOTS_PER_INCH) / POINTS_PER_INCH))
  return { width: pixels(width), height: pixels(height) }
}

/** `isOver` is asked before each part: undefined when time was up before anything different, or all, was seen. */
export function lookAtPage(
  pair: Pair,
  areas: readonly AllowedArea[],
  isOver: () => boolean,
): Looked | undefined {
  const whole = pixelsOf(pair.after)
  const allowed = areas
    .slice(0, MAX_AREAS)
    .map(({ rect, why }) => ({ box: pair.after.boxOf(rect, whole), why }))
  const signatures = areas.filter(({ why }) => why === "signature").map(({ rect }) => rect)
  let looked: Looked | undefined
  for (const way of waysOf(pair)) {
    const look = () => lookInOneWay(pair, allowed, whole, way, isOver)
    const first = look()
    const here = first?.said.kinds.some(isOverText)
      ? withoutInvitations(pair, signatures, first, look)
      : first
    if (here === undefined || here.said.different) return here
    looked ??= here
  }
  return looked
}

const isOverText = (kind: PageDifferenceKind): boolean => kind === "covered" || kind === "continued"

/** What an empty field shows ("sign here") gives way to the signature: what counts is so without it, too. */
function withoutInvitations(
  { before }: Pair,
  signatures: readonly Rect[],
  first: Looked,
  look: () => Looked | undefined,
): Looked | undefined {
  const { hidden, showAgain } = before.hideEmptySignatures(signatures)
  try {
    if (hidden === 0) return first
    const second = look()
    return second && !second.said.kinds.some(isOverText) ? { ...second, spots: first.spots } : first
  } finally {
    showAgain()
  }
}

function lookInOneWay(
  pair: Pair,
  allowed: readonly Allowed[],
  whole: Size,
  way: Way,
  isOver: () => boolean,
): Looked | undefined {
  const pagePixels = whole.width * whole.height
  const largest = largestSignature(pagePixels, DOTS_PER_INCH / POINTS_PER_INCH)
  const kinds = new Set<DifferenceKind>()
  const spots: Spot[] = []
  let box: Box | undefined
  let changed = 0
  for (const part of partsOf(whole)) {
    if (isOver()) {
      if (kinds.size > 0) break
      return undefined
    }
    const [before, after] = drawBoth(pair, part, whole, way)
    const here = allowed.map((one) => ({ ...one, box: moved(one.box, -part.left, -part.top) }))
    const compared = comparePictures(before, after, here, largest)
    for (const kind of compared.kinds) kinds.add(kind)
    if (compared.box !== undefined) box = around(box, moved(compared.box, part.left, part.top))
    for (const spot of compared.spots)
      if (spots.length < MAX_SPOTS) spots.push({ ...spot, box: moved(spot.box, part.left, part.top) })
    changed += compared.changed
  }
  const area = box && pair.after.rectOf(box, whole)
  const share = changed / pagePixels
  return {
    said: { different: kinds.size > 0, kinds: [...kinds], ...(area && { area }), share },
    ...{ spots, whole, way },
  }
}

/** Only annotations, and layers that no later revision may touch, look different in print. */
const waysOf = ({ before, after }: Pair): readonly Way[] =>
  before.annotations + after.annotations > 0 ? ["on screen", "in print"] : ["on screen"]

const drawBoth = ({ before, after }: Pair, part: Box, whole: Size, way: Way): readonly [Raster, Raster] => [
  before.draw(part, whole, way),
  after.draw(part, whole, way),
]

function* partsOf({ width, height }: Size): Generator<Box> {
  for (let top = 0; top < height; top += PART_PIXELS)
    for (let left = 0; left < width; left += PART_PIXELS)
      yield {
        left,
        top,
        right: Math.min(left + PART_PIXELS, width),
        bottom: Math.min(top + PART_PIXELS, height),
      }
}
