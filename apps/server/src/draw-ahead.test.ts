import type { Document } from "@paraph/core/document/model"
import { Refusal } from "@paraph/core/refusal"
import { expect, it } from "vitest"
import { createDrawAhead } from "./draw-ahead.ts"

const of = (businessId: string) => ({ id: businessId, businessId }) as Document

it("draws one first page for a business and two in all, and goes on when one has ended", async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const picture = ({ businessId }: Document) => {
    begun.push(businessId)
    return new Promise<null>((resolve) => ends.push(() => resolve(null)))
  }
  const draw = createDrawAhead({ picture }, () => undefined)
  for (const business of ["a", "a", "b", "c"]) draw(of(business))
  draw(undefined)
  expect(begun).toEqual(["a", "b"])
  ends[0]?.()
  await new Promise(setImmediate)
  draw(of("c"))
  expect(begun).toEqual(["a", "b", "c"])
})

it("leaves a document that cannot be drawn to whoever reads it, and tells of faults alone", async () => {
  const faults: unknown[] = []
  const fault = new Error("broken")
  const errors = [new Refusal("cannot-render", "No."), fault]
  const draw = createDrawAhead({ picture: () => Promise.reject(errors.shift()) }, (error) =>
    faults.push(error),
  )
  draw(of("a"))
  await new Promise(setImmediate)
  draw(of("a"))
  await new Promise(setImmediate)
  expect(faults).toEqual([fault])
})
