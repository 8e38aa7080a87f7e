import { expect, it } from "vitest"
import { statesSecondFactor } from "./provider.ts"

it.each([
  [{ amr: ["pwd", "mfa"] }, true],
  [{ acr: "phr" }, false],
  [{ acr: "phrh" }, false],
  [{ acr: "https://refeds.org/profile/mfa" }, true],
  [{ amr: ["pwd"] }, false],
  [{ amr: ["otp"] }, false],
  [{ amr: "mfa" }, false],
  [{ acr: "1" }, false],
  [{}, false],
])("[ASVS 6.3.3] the claims %j state a second factor: %s", (claims, expected) => {
  expect(statesSecondFactor(claims)).toBe(expected)
})
