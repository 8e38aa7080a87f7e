import { LIMITS } from "@paraph/core/limits"
import type { Hold as Model } from "@paraph/core/signature-request/hold"
import { Type } from "typebox"
import { closed, DateTime, TEXT } from "../shared/fields.ts"

/** An addition of ours: a request that nobody deletes for the time being (ADR 0055). */
export const HoldBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: LIMITS.textCharacters,
      pattern: TEXT,
      description: "For those who look after the business alone.",
    }),
  },
  closed,
)
export type HoldBody = Type.Static<typeof HoldBody>

export const Hold = Type.Object({
  held_since: Type.Union([DateTime, Type.Null()], { description: "Null: it is not held." }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: "For owners and admins; null for everybody else, and where it is not held.",
  }),
})
export type Hold = Type.Static<typeof Hold>

export const writeHold = ({ heldSince, reason }: Model): Hold => ({
  held_since: heldSince?.toISOString() ?? null,
  reason,
})
