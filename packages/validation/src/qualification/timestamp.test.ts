import { beforeAll, expect, it } from "vitest"
import { type Holder, newHolder, newRoot } from "../testing/keys.ts"
import { periodOf, serviceOf } from "../testing/services.ts"
import type { ServicePeriod, TrustService } from "../trusted-list/trusted-list.ts"
import { qualifyTimestamp } from "./timestamp.ts"

const MADE = new Date("2025-06-01T00:00:00Z")
const NOW = new Date("2026-06-01T00:00:00Z")

let root: Holder
let unit: Holder

beforeAll(async () => {
  root = await newRoot({ name: "Root" })
  unit = await newHolder(root, { name: "Clock" })
})

const stamping = (order: Partial<ServicePeriod> = {}) => periodOf({ type: "TSA/QTST", uses: [], ...order })

function ask(
  services: readonly TrustService[],
  order: { readonly madeAt?: Date; readonly expiredLists?: "accept" } = {},
) {
  const path = [unit.certificate, root.certificate]
  return qualifyTimestamp({ path, services, madeAt: MADE, at: NOW, now: NOW, ...order })
}

it("is qualified under a granted service, whether the unit is listed or who certifies it (TS 119 615, 4.7)", () => {
  expect(ask([serviceOf(unit, [stamping()])])).toEqual({ isQualified: true, legislation: "EU" })
  expect(ask([serviceOf(root, [stamping()])])).toEqual({ isQualified: true, legislation: "EU" })
})

it("is qualified by Swiss law, or by both", () => {
  const swiss = serviceOf(unit, [stamping()], { law: "CH" })
  expect(ask([swiss])).toEqual({ isQualified: true, legislation: "CH" })
  expect(ask([swiss, serviceOf(unit, [stamping()])])).toEqual({ isQualified: true, legislation: "CH_EU" })
})

it.each<readonly [string, () => readonly TrustService[]]>([
  ["nobody lists it", () => []],
  ["it is listed for certificates", () => [serviceOf(unit, [periodOf()])]],
  [
    "it is listed for time-stamps that are not qualified",
    () => [serviceOf(unit, [stamping({ type: "TSA" })])],
  ],
  ["it was withdrawn", () => [serviceOf(unit, [stamping({ status: "withdrawn" })])]],
  [
    "it was withdrawn since (PRO-4.7.4-06)",
    () => [
      serviceOf(unit, [
        stamping({ status: "withdrawn", from: "2026-01-01T00:00:00.000Z" }),
        stamping({ until: "2026-01-01T00:00:00.000Z" }),
      ]),
    ],
  ],
  ["it was granted only later", () => [serviceOf(unit, [stamping({ from: "2026-01-01T00:00:00.000Z" })])]],
  [
    "two entries differ (PRO-4.6.4-06)",
    () => [serviceOf(unit, [stamping()]), serviceOf(root, [stamping({ status: "withdrawn" })])],
  ],
  [
    "its list has expired",
    () => [serviceOf(unit, [stamping()], { listExpires: "2026-01-01T00:00:00.000Z" })],
  ],
  ["a critical extension is not known", () => [serviceOf(unit, [stamping({ isUnderstood: false })])]],
])("is not qualified if %s", (_, services) => {
  expect(ask(services())).toEqual({ isQualified: false, legislation: "WORLD" })
})

it("is not qualified from before the Regulation (PRO-4.6.4-01)", () => {
  const service = serviceOf(unit, [stamping({ from: "2010-01-01T00:00:00.000Z" })])
  expect(ask([service], { madeAt: new Date("2016-06-30T21:59:59Z") }).isQualified).toBe(false)
  expect(ask([service], { madeAt: new Date("2016-06-30T22:00:00Z") }).isQualified).toBe(true)
})

it("counts under an expired list if the policy says so", () => {
  const service = serviceOf(unit, [stamping()], { listExpires: "2026-01-01T00:00:00.000Z" })
  expect(ask([service], { expiredLists: "accept" }).isQualified).toBe(true)
})
