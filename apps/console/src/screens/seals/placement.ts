import type { SealBatchBody } from "../../api/seals.ts"
import type { Document } from "../../api/types.ts"

const SIZE = { width: 170, height: 60 }
const MARGIN = 36

type Visual = NonNullable<SealBatchBody["visual_signature"]>

/** Below at the right of the first page, where it fits on the smallest of them; null where it fits nowhere. */
export function lowerRight(
  documents: readonly Pick<Document, "page_width" | "page_height">[],
): Visual | null {
  const width = Math.min(...documents.map(({ page_width }) => page_width))
  const height = Math.min(...documents.map(({ page_height }) => page_height))
  if (width < SIZE.width + 2 * MARGIN || height < SIZE.height + 2 * MARGIN) return null
  return { position: { page: "0", x: width - SIZE.width - MARGIN, y: MARGIN, ...SIZE } }
}
