import { expect, it } from "vitest"
import { SAMPLE_TIME } from "../testing/sample.ts"
import { holdOfNewFactor } from "./factor-hold.ts"

const in72Hours = new Date(SAMPLE_TIME.getTime() + 72 * 3_600_000)

it("[B3] holds a factor for 72 hours where no older factor opened the session", () => {
  expect(holdOfNewFactor({ strong: false, factorHeldUntil: null }, SAMPLE_TIME)).toEqual(in72Hours)
})

it("[B3] holds a factor that was added by means of another new one", () => {
  const later = new Date(SAMPLE_TIME.getTime() + 1)
  expect(holdOfNewFactor({ strong: true, factorHeldUntil: later }, SAMPLE_TIME)).toEqual(in72Hours)
})

it("holds no factor that an older one confirms", () => {
  expect(holdOfNewFactor({ strong: true, factorHeldUntil: null }, SAMPLE_TIME)).toBeNull()
  expect(holdOfNewFactor({ strong: true, factorHeldUntil: SAMPLE_TIME }, SAMPLE_TIME)).toBeNull()
})
