import { randomUUID } from "node:crypto"
import type { Claimed } from "@paraph/core/delivery/model"
import type { Kind } from "@paraph/core/signature-request/model"
import { expect, it } from "vitest"
import { createPlaces, type DeliveringParts } from "./deliver.ts"

const SLOTS = 32

/** As many calls of each mode as the claim allows: both have more waiting than there are places. */
const claimAll = (kinds: readonly Kind[]): DeliveringParts["claimDeliveries"] => {
  return async ({ limit, limits, retry, claim }) => {
    const of = { claim, retry, attempts: 0, subjectId: randomUUID(), giveUpAt: new Date() }
    const call = { ...of, to: "callback", url: "https://a.example/" } as const
    const all = kinds.flatMap((kind) =>
      Array.from({ length: limits[kind] }, () => ({
        ...call,
        id: randomUUID(),
        kind,
        businessId: randomUUID(),
      })),
    )
    return all.slice(0, limit)
  }
}

/** Fills the places again and again, as calls that never end take them. */
async function filled(kinds: readonly Kind[]) {
  const underWay = new Map<string, Claimed>()
  const parts = {
    deliverySettings: { slots: SLOTS, firstPauseMs: 1 },
    now: () => new Date(),
    claimDeliveries: claimAll(kinds),
  }
  const places = createPlaces(parts as unknown as DeliveringParts, "worker", underWay)
  for (let look = 0; look < 10; look += 1)
    for (const claimed of await places.fill()) underWay.set(claimed.id, claimed)
  const count = (kind: Kind) => [...underWay.values()].filter((one) => one.kind === kind).length
  return { production: count("production"), demo: count("demo") }
}

it("[B5] calls of demo that hang hold a quarter of the places, and those of production leave some for demo", async () => {
  expect(await filled(["demo"])).toEqual({ production: 0, demo: SLOTS / 4 })
  expect(await filled(["production"])).toEqual({ production: (SLOTS * 7) / 8, demo: 0 })
  const { production, demo } = await filled(["production", "demo"])
  expect(production + demo).toBe(SLOTS)
  expect(demo).toBeGreaterThanOrEqual(SLOTS / 8)
})
