import type { UsualCredits } from "@paraph/core/credits/model"
import type { Config } from "./config.ts"

/** For businesses with which nothing else is agreed. */
export const usualCreditsOf = ({ VALIDATION_PRICE, CREDITS_INCLUDED }: Config): UsualCredits => ({
  price: VALIDATION_PRICE,
  included: CREDITS_INCLUDED === "unlimited" ? null : CREDITS_INCLUDED,
})
