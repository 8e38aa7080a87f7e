// A page that is compared with many others is drawn once: what was drawn of it is kept as long as it is open.

import type { Raster } from "@paraph/validation/visual-picture"
import type { DrawnPage } from "./drawn-page.ts"

/** Two large parts, or some pages of A4; the rest of a larger page is drawn each time. */
const KEPT_BYTES = 34_000_000

export function remembered(page: DrawnPage): DrawnPage {
  const drawn = new Map<string, Raster>()
  let bytes = 0
  const forget = () => {
    drawn.clear()
    bytes = 0
  }
  return {
    ...page,
    draw: (part, whole, way) => {
      const key = JSON.stringify([part, whole, way])
      const known = drawn.get(key)
      if (known !== undefined) return known
      const raster = page.draw(part, whole, way)
      if (bytes + raster.rgba.length <= KEPT_BYTES) {
        drawn.set(key, raster)
        bytes += raster.rgba.length
      }
      return raster
    },
    // It looks different from then on.
    hideEmptySignatures: (places) => {
      const { hidden, showAgain } = page.hideEmptySignatures(places)
      if (hidden === 0) return { hidden, showAgain }
      forget()
      return {
        hidden,
        showAgain: () => {
          showAgain()
          forget()
        },
      }
    },
  }
}
