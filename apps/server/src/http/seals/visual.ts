import type { AskedVisual } from "@paraph/contract/shared/seal"
import type { Tenant } from "@paraph/core/fair-share/owner"
import type { OrderedVisual } from "@paraph/core/seal/ports"
import type { Parts } from "../../parts.ts"

/** A picture of a stranger's is looked at in a limited process, and goes on as one of our own making. */
export const orderedVisual = async (
  parts: Pick<Parts, "cleanPicture">,
  owner: Tenant,
  { position, picture }: AskedVisual,
): Promise<OrderedVisual> => ({
  position,
  image: picture === null ? null : (await parts.cleanPicture(picture, owner)).png,
})
