import type { UserQualities } from "@paraph/core/business/qualities"
import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"
import { closed, TEXT } from "./fields.ts"

/** Decisions, "user qualities". */
const queryMembers = {
  username: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.emailCharacters,
      pattern: TEXT,
      description: "A user or a member of the caller's business; the caller unless given.",
    }),
  ),
}
export const QualitiesQuery = Type.Object(queryMembers)
export const ClosedQualitiesQuery = Type.Object(queryMembers, closed)
export type QualitiesQuery = Type.Static<typeof QualitiesQuery>

const Availability = Type.Object({ available: Type.Boolean() })

export const Qualities = Type.Object({
  username: Type.String(),
  ses: Availability,
  aes: Availability,
  aes_minimal: Availability,
  qes: Availability,
})
export type Qualities = Type.Static<typeof Qualities>

export const writeQualities = ({ username, qualities }: UserQualities): Qualities => ({
  username,
  ses: { available: qualities.includes("SES") },
  aes: { available: qualities.includes("AES") },
  aes_minimal: { available: qualities.includes("AES_MINIMAL") },
  qes: { available: qualities.includes("QES") },
})
