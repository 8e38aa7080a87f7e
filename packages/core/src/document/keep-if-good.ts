import { Refusal } from "../refusal.ts"
import type { SealedBlob } from "./model.ts"
import type { Abandon, Held, KeepHeld, ScanBytes } from "./ports.ts"

export type KeepParts = {
  readonly scanBytes: ScanBytes
  readonly keepHeld: KeepHeld
  readonly abandon: Abandon
}

/**
 * The look, the scan and the storing go on side by side, since each of them reads the sealed file for itself. What is
 * refused after it was stored is abandoned, and no row ever names it.
 */
export async function keepIfGood<T>(
  parts: KeepParts,
  held: Held,
  look: () => Promise<T>,
): Promise<{ looked: T; blob: SealedBlob }> {
  const [looked, scanned, kept] = await Promise.allSettled([
    look(),
    parts.scanBytes(held),
    parts.keepHeld(held),
  ])
  if (looked.status === "fulfilled" && scanned.status === "fulfilled" && kept.status === "fulfilled")
    return { looked: looked.value, blob: kept.value }
  if (kept.status === "fulfilled") await parts.abandon(kept.value)
  const failures = [scanned, looked, kept].flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  )
  // Malware first: the sender should not repair a file that will be refused for that. Any other refusal of the document comes before
  // an outage of ours, because a second attempt would not be accepted either.
  const isFinal = (error: unknown) => error instanceof Refusal && error.code !== "part-down"
  for (const error of [...failures.filter(isFinal), ...failures]) throw error
  throw new Error("Nothing failed, and not everything was done.")
}
