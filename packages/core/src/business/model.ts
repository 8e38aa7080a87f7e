import type { Quality } from "../signature-request/model.ts"

/** REG-02: what is switched on for a business, one by one; all of it is off until the operator says so. */
export const FEATURES = ["sealing", "expires_at", "group_observers", "express_qes", "vouching"] as const
export type Feature = (typeof FEATURES)[number]

/** What an operator has agreed with a business, as far as a request depends on it. */
export type BusinessSettings = {
  readonly name: string
  readonly features: readonly Feature[]
  /** How many days after its creation a request is deleted (part 2.1 `auto_delete_at`); null: never. */
  readonly retentionDays: number | null
  /** Decisions, "quality": for requests that name none. */
  readonly defaultQuality: Quality
}

/** Decisions, "roles": what a person may do in a business; the operator stands beside them. */
export const ROLES = ["owner", "admin", "developer", "member"] as const
export type Role = (typeof ROLES)[number]
/** Who looks after a business: its people, its settings, its record. */
export const ADMINISTRATORS: readonly Role[] = ["owner", "admin"]
/** REG-03: who uses the developer page. */
export const DEVELOPERS: readonly Role[] = [...ADMINISTRATORS, "developer"]

/** Whether members log in with a second factor, and whether that of the business's provider of single sign-on counts (ADR 0098). */
export const MEMBER_SECOND_FACTORS = ["OPTIONAL", "REQUIRED", "REQUIRED_OR_PROVIDER"] as const
export type MemberSecondFactor = (typeof MEMBER_SECOND_FACTORS)[number]
