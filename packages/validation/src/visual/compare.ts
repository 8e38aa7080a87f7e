// Two pictures of one page, as it was signed and as it is now: does a reader see something that the signer did not?

import { boxOfChanges, type Changes, changedPixels } from "./changed.ts"
import { continuedText } from "./continued.ts"
import { lostInk } from "./ink.ts"
import { areaOf, around, type Box, type Raster, within } from "./picture.ts"
import { recoloured } from "./recoloured.ts"
import { type Spot, spotsOf } from "./spots.ts"

/** What may change the look of a page after it was signed, and where. */
export type AllowedChange = "signature" | "form-fill" | "annotation" | "changed-value"
export type Allowed = { readonly box: Box; readonly why: AllowedChange }

export type DifferenceKind =
  /** Where nothing may look different. */
  | "outside"
  /** A comment, which the rules may allow: the signer did not see it. */
  | "annotation"
  /** A value that was there when the page was signed, or that no signature covers. */
  | "changed-value"
  /** What was written there can no longer be read under a signature or an entry, or an area has another colour. */
  | "covered"
  /** A signature whose ink reads together with a line of the page, alters a letter of it, or strikes it out. */
  | "continued"
  /** A signature as large as a part of the page: it could be drawn to look like the page. */
  | "repainted"

export type PicturesCompared = {
  readonly different: boolean
  /** In the order of the type. */
  readonly kinds: readonly DifferenceKind[]
  /** Around all that counts as a difference. */
  readonly box?: Box
  /** How many pixels changed, allowed or not. */
  readonly changed: number
  /** What to show: new and gone, each as boxes; also where the change is allowed. */
  readonly spots: readonly Spot[]
}

/**
 * Of the page. A signature with a name, a picture and a text is hardly ever larger than a tenth; what takes more than a
 * quarter has room for a paragraph of its own, and a reader cannot tell it from the document.
 */
const LARGEST_SHARE = 0.25
/** Square points, 300 by 100: room for a name, a picture and three lines. So large it may be upon the smallest page. */
const ORDINARY_SIGNATURE = 30_000

/** How many pixels a signature may take, of a page with so many pixels, of which there are so many in a point. */
export function largestSignature(pagePixels: number, pixelsPerPoint: number): number {
  return Math.max(LARGEST_SHARE * pagePixels, ORDINARY_SIGNATURE * pixelsPerPoint ** 2)
}

/** An edge that is not on the grid colours the pixel beside it. */
const EDGE_PIXELS = 1

const NOTHING: PicturesCompared = { different: false, kinds: [], changed: 0, spots: [] }

/** `largest` is how many pixels a signature may take, of which the pictures may show a part only. */
export function comparePictures(
  before: Raster,
  after: Raster,
  allowed: readonly Allowed[],
  largest: number,
): PicturesCompared {
  const changes = changedPixels(before, after)
  if (changes === null) return NOTHING
  const found = new Map<DifferenceKind, Box | undefined>()
  const find = (kind: DifferenceKind, box: Box | undefined) => {
    if (box !== undefined) found.set(kind, around(found.get(kind), box))
  }
  find("outside", boxOfChanges(without(changes, allowed, before), before.width, whole(before)))
  for (const { box, why } of allowed) {
    const part = within(grown(box), before)
    if (why === "annotation" || why === "changed-value") find(why, boxOfChanges(changes, before.width, part))
    else {
      const lost =
        lostInk(before, after, changes.strength, part) ?? recoloured(before, after, changes.strength, part)
      find("covered", lost)
      // What is hidden is different already, whatever stands there instead.
      if (why === "signature" && lost === undefined)
        find("continued", continuedText(before, after, changes.strength, part))
      if (areaOf(box) > largest) find("repainted", boxOfChanges(changes, before.width, part))
    }
  }
  const kinds = KINDS.filter((kind) => found.has(kind))
  const box = kinds.reduce<Box | undefined>((all, kind) => {
    const one = found.get(kind)
    return one === undefined ? all : around(all, one)
  }, undefined)
  return {
    different: kinds.length > 0,
    kinds,
    ...(box && { box }),
    changed: changes.count,
    spots: spotsOf(before, after, changes),
  }
}

const KINDS: readonly DifferenceKind[] = [
  "outside",
  "annotation",
  "changed-value",
  "covered",
  "continued",
  "repainted",
]

const whole = ({ width, height }: Raster): Box => ({ left: 0, top: 0, right: width, bottom: height })

const grown = ({ left, top, right, bottom }: Box): Box => ({
  left: left - EDGE_PIXELS,
  top: top - EDGE_PIXELS,
  right: right + EDGE_PIXELS,
  bottom: bottom + EDGE_PIXELS,
})

/** The changes that lie in no allowed area. */
function without({ strength, count }: Changes, allowed: readonly Allowed[], size: Raster): Changes {
  const left = strength.slice()
  for (const { box } of allowed) {
    const part = within(grown(box), size)
    for (let y = part.top; y < part.bottom; y++)
      left.fill(0, y * size.width + part.left, y * size.width + part.right)
  }
  return { strength: left, count }
}
