import { type Caller, ownedBy } from "../access/caller.ts"
import { bookUse, mustHaveCredits } from "../credits/book.ts"
import type { UsualCredits } from "../credits/model.ts"
import type { Held } from "../document/ports.ts"
import { LIMITS } from "../limits.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { type AskedValidation, type DifferencePictures, type Validation, VIEWS } from "./model.ts"
import type { ValidatePdf } from "./ports.ts"
import { judged } from "./verdict.ts"

export type ValidateParts = {
  readonly read: Read
  readonly transact: Transact
  readonly validatePdf: ValidatePdf
  readonly now: Clock
  readonly newId: NewId
  readonly timeZone: string
  readonly usualCredits: UsualCredits
}

/**
 * Decisions, "validate": whoever acts for a business may. The result and what it costs are one commit; what is refused costs
 * nothing. The document is let go of in any case.
 */
export async function validateDocument(
  parts: ValidateParts,
  caller: Caller,
  held: Held,
  asked: AskedValidation,
): Promise<Validation> {
  try {
    // Asked before the work as well: who has nothing left is told at once.
    await mustHaveCredits(parts, caller, "validate-document")
    const { report, pictures } = await parts.validatePdf(held, asked, caller.kind)
    const createdAt = parts.now()
    const validation: Validation = {
      id: parts.newId(),
      businessId: caller.businessId,
      kind: caller.kind,
      ownerId: ownedBy(caller).ownerId,
      asked,
      report: judged(report, asked),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + LIMITS.validationMs),
    }
    await parts.transact(caller.businessId, async (tx) => {
      await bookUse(tx, parts, caller, "validate-document")
      await tx.insertValidation(validation, kept(pictures))
    })
    return validation
  } finally {
    await held.release()
  }
}

/** Every page is compared; of so many the pictures are kept as well (choice 416). */
function kept(pictures: readonly DifferencePictures[]): readonly DifferencePictures[] {
  let bytes = 0
  return pictures.slice(0, LIMITS.differencePictures).filter((picture) => {
    for (const view of VIEWS) bytes += picture[view]?.length ?? 0
    return bytes <= LIMITS.differenceBytes
  })
}
