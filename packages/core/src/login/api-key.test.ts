import { describe, expect, it } from "vitest"
import { canonicalKey, newApiKey } from "./api-key.ts"

const RANDOM = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE"

describe("a new key", () => {
  it("[R04] says by its prefix what it is, and ends with its random part", () => {
    expect(newApiKey("demo", RANDOM)).toBe(`api_demo_${RANDOM}`)
    expect(newApiKey("production", RANDOM)).toBe(`api_production_${RANDOM}`)
  })

  it("is in its canonical spelling already", () => {
    for (const kind of ["demo", "production"] as const)
      expect(canonicalKey(newApiKey(kind, RANDOM))).toBe(newApiKey(kind, RANDOM))
  })
})

describe("the canonical spelling", () => {
  it("makes api_prod and api_production one key", () => {
    expect(canonicalKey(`api_prod_${RANDOM}`)).toBe(newApiKey("production", RANDOM))
  })

  it("never makes one key of a demo and a production key", () => {
    expect(canonicalKey(`api_demo_${RANDOM}`)).not.toBe(canonicalKey(`api_prod_${RANDOM}`))
  })

  it.each(["", "api_prod", "api_prodx", ` api_prod_${RANDOM}`, `API_PROD_${RANDOM}`, `x_api_prod_${RANDOM}`])(
    "leaves %j as it is",
    (key) => {
      expect(canonicalKey(key)).toBe(key)
    },
  )

  it("touches the prefix alone, also when the random part looks like one", () => {
    expect(canonicalKey("api_prod_api_prod_x")).toBe("api_production_api_prod_x")
  })
})
