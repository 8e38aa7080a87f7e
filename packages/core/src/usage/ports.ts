import type { UsedWithin } from "./model.ts"

/** From the first of these days to the last, which both count. */
export type UsageReading = {
  readonly usageByDay: (from: string, to: string) => Promise<readonly UsedWithin[]>
  readonly usageByMonth: (from: string, to: string) => Promise<readonly UsedWithin[]>
}
