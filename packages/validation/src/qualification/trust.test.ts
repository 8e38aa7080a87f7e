import { beforeAll, expect, it } from "vitest"
import { type Holder, newRoot } from "../testing/keys.ts"
import { periodOf, serviceOf } from "../testing/services.ts"
import { anchorsFor, type TrustPurpose } from "./trust.ts"

const ISSUED = new Date("2020-01-01T00:00:00Z")
let one: Holder
let two: Holder

beforeAll(async () => {
  one = await newRoot({ name: "One" })
  two = await newRoot({ name: "Two" })
})

it.each<readonly [string, TrustPurpose, boolean]>([
  ["CA/QC", "signing", true],
  ["CA/QC", "timestamp", true],
  ["CA/QC", "revocation", true],
  ["CA/PKC", "signing", true],
  ["TSA/QTST", "signing", false],
  ["TSA/QTST", "timestamp", true],
  ["TSA/QTST", "revocation", false],
  ["Certstatus/OCSP/QC", "signing", false],
  ["Certstatus/OCSP/QC", "revocation", true],
  ["IdV", "signing", false],
  ["unknown", "signing", false],
])("a service %s is an anchor for %s: %s", (type, purpose, isAnchor) => {
  const services = [serviceOf(one, [periodOf({ type })])]
  const found = anchorsFor({ anchors: [], services }, purpose, ISSUED)
  expect(found.map(({ subjectName }) => subjectName)).toEqual(isAnchor ? ["One"] : [])
})

it.each([
  ["granted", true],
  ["undersupervision", true],
  ["recognisedatnationallevel", true],
  ["withdrawn", false],
  ["deprecatedatnationallevel", false],
  ["unknown", false],
])("a service that was %s when the certificate was issued is an anchor: %s", (status, isAnchor) => {
  const periods = [
    periodOf({ status: isAnchor ? "withdrawn" : "granted", from: "2021-01-01T00:00:00.000Z" }),
    periodOf({ status, until: "2021-01-01T00:00:00.000Z" }),
  ]
  const found = anchorsFor({ anchors: [], services: [serviceOf(one, periods)] }, "signing", ISSUED)
  expect(found).toHaveLength(isAnchor ? 1 : 0)
})

it("what the operator has configured is an anchor for what it is configured for", () => {
  const anchors = [
    { certificate: one.certificate },
    { certificate: two.certificate, purposes: ["timestamp"] },
  ] as const
  const names = (purpose: TrustPurpose) =>
    anchorsFor({ anchors, services: [] }, purpose, ISSUED).map(({ subjectName }) => subjectName)
  expect(names("signing")).toEqual(["One"])
  expect(names("timestamp")).toEqual(["One", "Two"])
})

it("the same certificate is one anchor, however often it is named", () => {
  const trust = {
    anchors: [{ certificate: one.certificate }],
    services: [serviceOf(one, [periodOf()]), serviceOf(one, [periodOf()])],
  }
  expect(anchorsFor(trust, "signing", ISSUED)).toHaveLength(1)
})
