// What the page runs, without the page: tests hold it against the same on Node.

import type { Verified } from "@paraph/verifying/verified"
import { type Given, verifyFiles } from "@paraph/verifying/verify"
import { isOnUnknownCurve, unknownCurves } from "./platform/public-key.ts"
import { withoutUnknown } from "./unknown-curves.ts"

export type VerifiedHere = Verified & {
  /** Curves that this page does not know; what was signed on one of them it cannot judge. */
  readonly unknownCurves: readonly string[]
}

export async function verifyHere(given: Given): Promise<VerifiedHere> {
  unknownCurves.clear()
  const verified = await verifyFiles(given)
  const curves = [...unknownCurves].toSorted()
  return {
    ...(curves.length === 0 ? verified : withoutUnknown(verified, isOnUnknownCurve)),
    unknownCurves: curves,
  }
}
