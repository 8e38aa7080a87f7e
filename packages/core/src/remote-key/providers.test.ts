import { describe, expect, it } from "vitest"
import { Refusal } from "../refusal.ts"
import { chosenProvider, mustHaveProvider, needsProvider, providersFor } from "./providers.ts"

const EU = { name: "eu", title: "EU", kind: "production", legislation: "EIDAS" } as const
const DEMO = { name: "demo", title: "Demo", kind: "demo", legislation: "EIDAS" } as const
const of = (quality: "SES" | "AES" | "QES" | "AES_MINIMAL", more: object = {}) =>
  ({ kind: "production", quality, legislation: "EIDAS", ...more }) as const
const refused = (work: () => unknown): string | null => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Refusal ? error.code : "fault"
  }
}

describe("the provider of a qualified signature", () => {
  it("is one of the law and of the kind that were asked for", () => {
    expect(providersFor(of("QES"), [EU, DEMO])).toEqual([EU])
    expect(providersFor({ ...of("QES"), legislation: "ZERTES" }, [EU, DEMO])).toEqual([])
    expect(providersFor({ ...of("QES"), kind: "demo" }, [EU, DEMO])).toEqual([DEMO])
    expect(providersFor(of("AES"), [EU])).toEqual([])
  })

  it("is needed for each production QES, and refused at its creation where there is none", () => {
    expect(refused(() => mustHaveProvider(of("QES"), []))).toBe("feature-not-enabled")
    expect(refused(() => mustHaveProvider({ ...of("QES"), legislation: "ZERTES" }, [EU]))).toBe(
      "feature-not-enabled",
    )
    expect(refused(() => mustHaveProvider(of("QES"), [EU]))).toBe(null)
    expect(refused(() => mustHaveProvider(of("AES_MINIMAL"), []))).toBe(null)
    expect(needsProvider({ ...of("QES"), kind: "demo" }, [EU])).toBe(false)
    expect(needsProvider({ ...of("QES"), kind: "demo" }, [DEMO])).toBe(true)
  })

  it("is chosen by the signer: none that is not there, and none at all only where a key of ours will do", () => {
    expect(chosenProvider(of("QES"), [EU], "eu")).toEqual(EU)
    expect(refused(() => chosenProvider(of("QES"), [EU], null))).toBe("constraint-violated")
    expect(refused(() => chosenProvider(of("QES"), [EU, DEMO], "demo"))).toBe("constraint-violated")
    expect(refused(() => chosenProvider(of("AES"), [EU], "eu"))).toBe("constraint-violated")
    expect(chosenProvider(of("AES_MINIMAL"), [EU], null)).toBe(null)
    expect(chosenProvider(of("AES_MINIMAL"), [EU], "eu")).toEqual(EU)
  })
})
