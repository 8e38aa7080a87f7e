import type { Bytes, Held, HoldBytes } from "@paraph/core/document/ports"
import type { Tenant } from "@paraph/core/fair-share/owner"
import { LIMITS } from "@paraph/core/limits"
import type { Blobs } from "@paraph/store/blobs/blobs"
import type { Intake } from "./intake.ts"
import type { BodyForm } from "./messages.ts"

/** The document in a body, at hand and sealed; null where JSON came without one. `body` is the rest of the JSON. */
export type HoldBody = (
  owner: Tenant,
  form: BodyForm,
  bytes: Bytes,
  bodyBytes: number | undefined,
  most?: MostBytes,
) => Promise<HeldBody>
/** Of the file, as it is and as Base64. */
export type MostBytes = { readonly maxBytes: number; readonly maxBase64Bytes: number }
export const DOCUMENT_BYTES: MostBytes = {
  maxBytes: LIMITS.documentBytes,
  maxBase64Bytes: LIMITS.documentBase64Bytes,
}
export type HeldBody = { readonly held: Held | null; readonly body: unknown }

export const holdingBodies =
  (beginHolding: Blobs["beginHolding"], intake: Intake): HoldBody =>
  async (owner, form, bytes, bodyBytes, most = DOCUMENT_BYTES) => {
    const { key, context, hold } = beginHolding(owner)
    const options = { form, key, context, ...most, pieces: "ours", bodyBytes } as const
    const { spooled, body } = await intake.take(options, bytes)
    return { held: spooled === null ? null : hold(spooled), body }
  }

/** Downloads, and what we append to a document: by the same thread, and with limits of their own. */
export const holdingBytes =
  (beginHolding: Blobs["beginHolding"], intake: Intake): HoldBytes =>
  async (owner, bytes) => {
    const { key, context, hold } = beginHolding(owner)
    const options = {
      form: "bytes",
      key,
      context,
      maxBytes: Number.POSITIVE_INFINITY,
      pieces: "shared",
    } as const
    const { spooled } = await intake.take(options, bytes)
    if (spooled === null) throw new Error("The intake thread took nothing.")
    return hold(spooled)
  }
