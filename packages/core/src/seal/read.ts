import type { Caller } from "../access/caller.ts"
import { mustHaveRole } from "../access/may.ts"
import { withRoleOfNow } from "../business/managing.ts"
import { ADMINISTRATORS } from "../business/model.ts"
import type { Clock, NewId, Read, Transact } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { Seal } from "./model.ts"

/** Whoever acts for the business may know which seals there are, of the kind of the key. */
export const listSeals = (parts: { readonly read: Read }, caller: Caller): Promise<readonly Seal[]> =>
  parts.read(caller.businessId, (reading) => reading.listSeals(caller.kind))

export async function readSeal(parts: { readonly read: Read }, caller: Caller, id: string): Promise<Seal> {
  return mustBeOurs(caller, await parts.read(caller.businessId, (reading) => reading.findSeal(id)))
}

export async function readSealImage(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<Uint8Array> {
  return parts.read(caller.businessId, async (reading) => {
    const { imageId } = mustBeOurs(caller, await reading.findSeal(id))
    const png = imageId === null ? null : await reading.findSealImage(imageId)
    if (png === null) throw new Refusal("not-found", "The seal has no picture.")
    return png
  })
}

/** Before anything is read of a picture, so that nobody else's is looked at. */
export const mustChangeSeals = (caller: Caller): unknown => mustHaveRole(caller, ADMINISTRATORS)

/** Cleaned already; it takes the place of the one before. Null: it shows words again. */
export function changeSealImage(
  parts: { readonly transact: Transact; readonly now: Clock; readonly newId: NewId },
  caller: Caller,
  id: string,
  png: Uint8Array | null,
): Promise<void> {
  mustChangeSeals(caller)
  return parts.transact(caller.businessId, async (tx) => {
    await tx.lockSettings()
    mustChangeSeals(await withRoleOfNow(tx, caller))
    const seal = mustBeOurs(caller, await tx.findSeal(id))
    if (png === null && seal.imageId === null) throw new Refusal("not-found", "The seal has no picture.")
    const at = parts.now()
    const image = png === null ? null : { id: parts.newId(), png }
    await tx.saveSealImage(id, image, at)
    await tx.appendAudit({
      at,
      by: caller.username,
      act: "seal set-image",
      target: `seal ${id}`,
      before: { image: seal.imageId },
      after: { image: image?.id ?? null },
    })
  })
}

function mustBeOurs(caller: Caller, seal: Seal | null): Seal {
  if (seal === null || seal.kind !== caller.kind || seal.endedAt !== null)
    throw new Refusal("not-found", "There is no such object.")
  return seal
}
