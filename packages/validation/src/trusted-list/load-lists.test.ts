import { beforeAll, describe, expect, it } from "vitest"
import { newRoot } from "../testing/keys.ts"
import { signList } from "../testing/list-signer.ts"
import {
  ADDRESS,
  listOfLists,
  NOW,
  nationalList,
  newTrustWorld,
  orderFor,
  signedLists,
  sourcesOf,
  type TrustWorld,
} from "../testing/trust-world.ts"
import { WRONG_LISTS } from "../testing/wrong-lists.ts"
import { loadTrustedLists } from "./load-lists.ts"

let world: TrustWorld
let published: Map<string, Uint8Array>

beforeAll(async () => {
  world = await newTrustWorld()
  published = signedLists(world)
})

const territories = (lists: readonly { readonly territory: string }[]) =>
  lists.map(({ territory }) => territory)

describe("following lists", () => {
  it("finds every list from those that are configured, and their services", async () => {
    const loaded = await loadTrustedLists(orderFor(world, published))
    expect(loaded.problems).toEqual([])
    expect(territories(loaded.lists)).toEqual(["EU", "AT", "IT", "CH"])
    expect(loaded.services.map(({ law, territory, name }) => `${law} ${territory} ${name}`)).toEqual([
      "EU AT Qualified certificates",
      "EU AT Qualified time-stamps",
      "EU IT Qualified certificates",
      "EU IT Qualified time-stamps",
      "CH CH Qualified certificates",
      "CH CH Qualified time-stamps",
    ])
  })

  it("does all of it again offline, from the bytes that it gave to keep", async () => {
    const first = await loadTrustedLists(orderFor(world, published))
    const again = await loadTrustedLists({ sources: sourcesOf(world), known: first.keep, now: NOW })
    expect(again.services).toEqual(first.services)
    expect(again.problems).toEqual([])
    expect(again.lists.every(({ origin }) => origin === "known")).toBe(true)
  })

  it("takes what it knows where a list cannot be had, and says so", async () => {
    const { keep } = await loadTrustedLists(orderFor(world, published))
    const fetchList = async (address: string) => {
      if (address === ADDRESS.AT) throw new Error("the line is dead")
      return published.get(address)
    }
    const loaded = await loadTrustedLists({ ...orderFor(world, published), known: keep, fetchList })
    expect(loaded.problems).toEqual([
      { address: ADDRESS.AT, reason: "not-fetched", detail: "the line is dead" },
    ])
    expect(loaded.services).toHaveLength(6)
    expect(loaded.lists.find(({ territory }) => territory === "AT")?.origin).toBe("known")
  })

  it("does not go back to an older list than it knows", async () => {
    const newer = signList(nationalList(world, "AT", undefined, { sequenceNumber: 7 }), {
      signer: world.AT.operator,
    })
    const loaded = await loadTrustedLists({
      ...orderFor(world, published),
      known: new Map([[ADDRESS.AT, newer]]),
    })
    expect(loaded.problems.map(({ reason }) => reason)).toEqual(["older-than-known"])
    expect(loaded.lists.find(({ territory }) => territory === "AT")?.sequenceNumber).toBe(7)
  })

  it("keeps a list past its NextUpdate, and says so", async () => {
    const loaded = await loadTrustedLists({
      ...orderFor(world, published),
      now: new Date("2027-01-01T00:00:00Z"),
    })
    expect(loaded.problems.map(({ reason }) => reason)).toEqual(Array(4).fill("expired"))
    expect(loaded.services).toHaveLength(6)
  })

  it("ends what a closed list says on the day of its closing", async () => {
    const closed = signList(nationalList(world, "AT", undefined, { nextUpdate: null }), {
      signer: world.AT.operator,
    })
    const loaded = await loadTrustedLists(orderFor(world, new Map([...published, [ADDRESS.AT, closed]])))
    expect(loaded.problems.map(({ reason }) => reason)).toEqual(["closed"])
    const [service] = loaded.services
    expect(service?.listExpires).toBeNull()
    expect(service?.periods[0]?.until).toBe("2026-05-01T00:00:00.000Z")
  })

  it("believes no list that the list of lists names with another certificate", async () => {
    const stranger = await newRoot({ name: "Operator of AT" })
    const lotl = signList(listOfLists({ ...world, AT: { ...world.AT, operator: stranger } }), {
      signer: world.operator,
    })
    const loaded = await loadTrustedLists(orderFor(world, new Map([...published, [ADDRESS.EU, lotl]])))
    expect(loaded.problems).toMatchObject([{ address: ADDRESS.AT, reason: "unknown-signer" }])
    expect(territories(loaded.lists)).toEqual(["EU", "IT", "CH"])
  })

  it("follows nothing from a list of lists that it does not believe", async () => {
    const forged = signList(listOfLists(world), { signer: world.AT.operator })
    const loaded = await loadTrustedLists(orderFor(world, new Map([...published, [ADDRESS.EU, forged]])))
    expect(loaded.problems).toMatchObject([{ address: ADDRESS.EU, reason: "unknown-signer" }])
    expect(territories(loaded.lists)).toEqual(["CH"])
  })

  it("gives no list the law of another: a list of Austria in the place of the Swiss one", async () => {
    const loaded = await loadTrustedLists(
      orderFor(
        world,
        new Map([
          ...published,
          [ADDRESS.CH, signList(nationalList(world, "AT"), { signer: world.CH.operator })],
        ]),
      ),
    )
    expect(loaded.problems).toMatchObject([{ address: ADDRESS.CH, reason: "not-as-pointed-to" }])
  })
})

describe("pivots", () => {
  const PIVOT = { one: "https://lists.example.eu/pivot-1.xml", two: "https://lists.example.eu/pivot-2.xml" }

  /** The operator of the list of lists has changed twice since the one that is configured. */
  async function changed() {
    const second = await newRoot({ name: "Second" })
    const third = await newRoot({ name: "Third" })
    const naming = (operator: typeof second) => ({ ...world, operator })
    const pivots = [PIVOT.two, PIVOT.one]
    return {
      second,
      third,
      lists: new Map([
        ...published,
        [
          PIVOT.one,
          signList(listOfLists(naming(second), { pivots: [PIVOT.one] }), { signer: world.operator }),
        ],
        [PIVOT.two, signList(listOfLists(naming(third), { pivots }), { signer: second })],
        [ADDRESS.EU, signList(listOfLists(naming(third), { pivots }), { signer: third })],
      ] as const),
    }
  }

  it("lead from the certificate that is configured to the one that signs today, and are kept", async () => {
    const { lists } = await changed()
    const loaded = await loadTrustedLists(orderFor(world, lists))
    expect(loaded.problems).toEqual([])
    expect(territories(loaded.lists)).toEqual(["EU", "AT", "IT", "CH"])
    expect([...loaded.keep.keys()]).toEqual(expect.arrayContaining([PIVOT.one, PIVOT.two]))
    const again = await loadTrustedLists({ sources: sourcesOf(world), known: loaded.keep, now: NOW })
    expect(again.services).toEqual(loaded.services)
  })

  it("lead nowhere if one on the way is not signed by whom the one before names", async () => {
    const { lists, third } = await changed()
    const forged = signList(listOfLists({ ...world, operator: third }, { pivots: [PIVOT.two, PIVOT.one] }), {
      signer: third,
    })
    const loaded = await loadTrustedLists(orderFor(world, new Map([...lists, [PIVOT.two, forged]])))
    expect(territories(loaded.lists)).toEqual(["CH"])
    expect(loaded.problems).toMatchObject([{ address: PIVOT.two, reason: "unknown-signer" }])
  })

  it("do not lead to one who was replaced", async () => {
    const { lists, second } = await changed()
    const pivots = [PIVOT.two, PIVOT.one]
    const stale = signList(listOfLists(world, { pivots }), { signer: second })
    const loaded = await loadTrustedLists(orderFor(world, new Map([...lists, [ADDRESS.EU, stale]])))
    expect(territories(loaded.lists)).toEqual(["CH"])
    expect(loaded.problems).toMatchObject([{ address: ADDRESS.EU, reason: "unknown-signer" }])
  })

  it("lead nowhere if one cannot be had", async () => {
    const { lists } = await changed()
    lists.delete(PIVOT.one)
    const loaded = await loadTrustedLists(orderFor(world, lists))
    expect(territories(loaded.lists)).toEqual(["CH"])
    expect(loaded.problems.map(({ reason }) => reason)).toEqual(["not-fetched", "unknown-signer"])
  })
})

describe("a wrong list", () => {
  it.each(WRONG_LISTS.map((wrong) => [wrong.name, wrong] as const))(
    "is not believed, and the others still are: %s",
    async (_, { make, reason }) => {
      const lists = new Map([...published, [ADDRESS.AT, await make(world)]])
      const loaded = await loadTrustedLists(orderFor(world, lists))
      expect(loaded.problems).toMatchObject([{ address: ADDRESS.AT, reason }])
      expect(territories(loaded.lists)).toEqual(["EU", "IT", "CH"])
      expect(loaded.services.some(({ territory }) => territory === "AT")).toBe(false)
      expect(loaded.keep.has(ADDRESS.AT)).toBe(false)
    },
  )

  it("does not push out the one that is known", async () => {
    const { keep } = await loadTrustedLists(orderFor(world, published))
    const broken = new Map([...published, [ADDRESS.AT, new Uint8Array(Buffer.from("<broken"))]])
    const loaded = await loadTrustedLists({ ...orderFor(world, broken), known: keep })
    expect(loaded.problems.map(({ reason }) => reason)).toEqual(["not-readable"])
    expect(loaded.services).toHaveLength(6)
    expect(loaded.keep.get(ADDRESS.AT)).toEqual(published.get(ADDRESS.AT))
  })
})
