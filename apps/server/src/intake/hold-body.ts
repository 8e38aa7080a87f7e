import type { Bytes, Held } from "@paraph/core/ports"
import type { Blobs } from "@paraph/store/blobs/blobs"
import type { Intake } from "./intake.ts"
import type { BodyForm } from "./messages.ts"

/** The document in a body, at hand and sealed; null where JSON came without one. `body` is the rest of the JSON. */
export type HoldBody = (businessId: string, form: BodyForm, bytes: Bytes) => Promise<HeldBody>
export type HeldBody = { readonly held: Held | null; readonly body: unknown }

export const holdingBodies =
  (beginHolding: Blobs["beginHolding"], intake: Intake): HoldBody =>
  async (businessId, form, bytes) => {
    const { key, context, hold } = beginHolding(businessId)
    const { spooled, body } = await intake.take(form, key, context, bytes)
    return { held: spooled === null ? null : hold(spooled), body }
  }
