import { Refusal } from "../refusal.ts"
import type { SealedBlob } from "./model.ts"
import type { Abandon, Held, KeepHeld, ScanBytes } from "./ports.ts"

export type KeepParts = {
  readonly scanBytes: ScanBytes
  readonly keepHeld: KeepHeld
  readonly abandon: Abandon
}

/**
 * The look comes first, and it has a budget: what exceeds that, or cannot be looked into, never reaches the malware scanner, which
 * would spend far more time on it. Then the scan and the storing go on side by side. What is refused after it was stored is abandoned,
 * and no row ever names it.
 */
export async function keepIfGood<T>(
  parts: KeepParts,
  held: Held,
  look: () => Promise<T>,
): Promise<{ looked: T; blob: SealedBlob }> {
  const [looked] = await Promise.allSettled([look()])
  if (looked.status === "rejected" && !mayBeScanned(looked.reason)) throw looked.reason
  const keeping = looked.status === "fulfilled" ? [parts.keepHeld(held)] : []
  const [[scanned], [kept]] = await Promise.all([
    Promise.allSettled([parts.scanBytes(held)]),
    Promise.allSettled(keeping),
  ])
  if (looked.status === "fulfilled" && scanned.status === "fulfilled" && kept?.status === "fulfilled")
    return { looked: looked.value, blob: kept.value }
  if (kept?.status === "fulfilled") await parts.abandon(kept.value)
  const failures = [scanned, looked, ...(kept === undefined ? [] : [kept])].flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  )
  // Malware first: the sender should not repair a file that will be refused for that. Any other refusal of the document comes before
  // an outage of ours, because a second attempt would not be accepted either.
  const isFinal = (error: unknown) => error instanceof Refusal && error.code !== "part-down"
  for (const error of [...failures.filter(isFinal), ...failures]) throw error
  throw new Error("Nothing failed, and not everything was done.")
}

/**
 * A document that was refused for what it is may hold malware too, which the sender is to know first. Encrypted content is decoded by
 * some scanners, but by nothing that could have counted its bytes before.
 */
const mayBeScanned = (error: unknown): boolean =>
  error instanceof Refusal && !["pdf-too-complex", "pdf-encrypted", "part-down"].includes(error.code)
