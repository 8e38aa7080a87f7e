import { LIMITS } from "../limits.ts"
import { isGivenUp } from "../patience.ts"
import { Refusal, type RefusalCode } from "../refusal.ts"
import { GONE, makeSeal, NotWanted, type SealingParts } from "./make-seal.ts"
import type { Sealing, SealingFault } from "./model.ts"
import type { SealingEnd } from "./ports.ts"

export type SealingTask = { readonly businessId: string; readonly sealingId: string }

/** Makes one seal, whoever ordered it and however often this is called: what is over stays as it is. */
export async function performSealing(
  parts: SealingParts,
  { businessId, sealingId }: SealingTask,
  attempt = 1,
): Promise<void> {
  const { isOn, sealing, seal, base } = await parts.read(businessId, async (reading) => {
    const found = await reading.findSealing(sealingId)
    const { features } = await reading.settings()
    return {
      isOn: features.includes("sealing"),
      sealing: found,
      seal: found && (await reading.findSeal(found.sealId)),
      base: found && (await reading.findDocument(found.baseId)),
    }
  })
  if (sealing === null || sealing.state !== "waiting") return
  try {
    // What was ordered before it was switched off is not sealed after it.
    if (!isOn) throw new Refusal("feature-not-enabled", "Sealing is not switched on for this business.")
    if (seal === null || seal.endedAt !== null)
      throw new Refusal("feature-not-enabled", "The seal has ended.")
    if (base === null || base.removingSince !== null) throw new Refusal("not-found", GONE)
    await makeSeal(parts, sealing, seal, base)
  } catch (error) {
    await judge(parts, sealing, error, attempt)
  }
}

/** What waiting does not mend, today or ever. */
const NEVER: readonly RefusalCode[] = [
  "pdf-corrupt",
  "pdf-encrypted",
  "pdf-locked",
  "pdf-xfa",
  "pdf-not-a-pdf",
  "pdf-too-complex",
  "constraint-violated",
  "feature-not-enabled",
  "not-found",
]

async function judge(parts: SealingParts, sealing: Sealing, error: unknown, attempt: number): Promise<void> {
  // Another worker was faster, or it was cancelled: the row says so.
  if (error instanceof NotWanted || !(await isStillWanted(parts, sealing))) return
  const refusal = error instanceof Refusal ? error : null
  const isTooLate = isGivenUp(sealing.createdAt, parts.now(), LIMITS.sealRetryMs, attempt)
  const isFinal = refusal !== null && NEVER.includes(refusal.code)
  if (isFinal || isTooLate) {
    const { code, message } = refusal ?? {
      code: "part-down" as const,
      message: "The seal could not be made.",
    }
    return fail(parts, sealing, { code, detail: message })
  }
  const lack = refusal?.lacks
  if (lack !== undefined && lack !== "provider")
    await parts.transact(sealing.businessId, (tx) => tx.noteSealWaits(sealing.id, lack, parts.now()))
  throw error
}

async function isStillWanted(parts: SealingParts, { id, businessId }: Sealing): Promise<boolean> {
  const still = await parts.read(businessId, (reading) => reading.findSealing(id))
  return still?.state === "waiting"
}

const fail = async (parts: SealingParts, sealing: Sealing, fault: SealingFault): Promise<void> =>
  void (await endSealing(parts, sealing, { state: "failed", fault }))

type Ending = Pick<SealingParts, "transact" | "now">

/** Ends an order that waits still, with the upload that came with it; answers how it stands then. */
export function endSealing(
  parts: Ending,
  { id, businessId }: Pick<Sealing, "id" | "businessId">,
  end: Exclude<SealingEnd, { state: "done" }>,
): Promise<Sealing | null> {
  const at = parts.now()
  return parts.transact(businessId, async (tx) => {
    const sealing = await tx.lockSealing(id)
    if (sealing?.state !== "waiting") return sealing
    await tx.endSealing(sealing, end, at)
    const upload = sealing.isUpload ? await tx.lockDocument(sealing.baseId) : null
    if (upload !== null) await tx.removeDocument(upload, at)
    const data = { seal: sealing.sealId, ...(end.state === "failed" && { cause: end.fault.code }) }
    await tx.appendEvidence(id, [{ type: `seal.${end.state}`, at, data }])
    return { ...sealing, ...end }
  })
}
