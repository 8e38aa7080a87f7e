import type { Callback as Model } from "@paraph/core/delivery/model"
import { Type } from "typebox"
import { DateTime, Uuid } from "./fields.ts"

/** Decisions, "callbacks read": the same in every version. */
export const Callback = Type.Object({
  id: Uuid,
  signature_request_id: Uuid,
  type: Type.Enum(["SUCCESS", "UPDATE", "ERROR"]),
  state: Type.Enum(["OPEN", "COMPLETED", "RESIGNED"], {
    description: "OPEN: still owed. RESIGNED: given up after 72 hours.",
  }),
  url: Type.String({ description: "With its placeholders replaced." }),
  attempts: Type.Integer(),
  messages: Type.Array(Type.String(), { description: "What came back, for the last 20 attempts." }),
  created_at: DateTime,
  updated_at: DateTime,
})
export type Callback = Type.Static<typeof Callback>

export const CallbackParams = Type.Object({ id: Uuid, callback_id: Uuid })
export type CallbackParams = Type.Static<typeof CallbackParams>

const TYPES = { success: "SUCCESS", update: "UPDATE", error: "ERROR" } as const

export const writeCallback = (callback: Model): Callback => ({
  id: callback.id,
  signature_request_id: callback.requestId,
  type: TYPES[callback.type],
  state: callback.state,
  url: callback.url,
  attempts: callback.attempts,
  messages: [...callback.messages],
  created_at: callback.createdAt.toISOString(),
  updated_at: callback.updatedAt.toISOString(),
})
