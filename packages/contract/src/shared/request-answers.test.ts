import type { SignatureRequest as Model } from "@paraph/core/signature-request/model"
import fc from "fast-check"
import type { TSchema } from "typebox"
import { Compile } from "typebox/compile"
import { Value } from "typebox/value"
import { describe, expect, it } from "vitest"
import { addresses, anyRequest, model } from "../testing/requests.ts"
import * as v1 from "../v1/signature-request.ts"
import * as v2 from "../v2/signature-request.ts"
import { RequestPlan, writePlan } from "../v3/request-plan.ts"
import * as v3 from "../v3/signature-request.ts"

const written: readonly (readonly [string, TSchema, (request: Model) => object])[] = [
  ["v1", v1.SignatureRequest, (request) => v1.writeSignatureRequest(request, addresses)],
  ["v2", v2.SignatureRequest, (request) => v2.writeSignatureRequest(request, addresses)],
  ["v3", v3.SignatureRequest, (request) => v3.writeSignatureRequest(request, addresses)],
  ["a plan of v3", RequestPlan, writePlan],
]

describe.each(written)("what is answered: %s", (_, schema, write) => {
  it("is of its schema, and holds no member beside it, whatever the request is", () => {
    const validator = Compile(schema)
    fc.assert(
      fc.property(anyRequest, (request) => {
        const json = JSON.parse(JSON.stringify(write(request)))
        expect(validator.Check(json) ? [] : validator.Errors(json)).toEqual([])
        expect(Value.Clean(schema, structuredClone(json))).toEqual(json)
      }),
    )
  })

  it("says nothing of what is nobody's business", () => {
    const [signature] = model.signatures
    if (signature === undefined) throw new Error("The sample has no signature.")
    const told = { ...signature, state: "declined" as const, declineReason: "a private reason" }
    const json = JSON.stringify(write({ ...model, signatures: [told, ...model.signatures] }))
    expect(json).not.toMatch(/private reason|consent|ownerId|business|demo_ident|\+41|expiration/i)
  })
})

it.each([
  ["v1", v1.writeSignatureRequest],
  ["v2", v2.writeSignatureRequest],
  ["v3", v3.writeSignatureRequest],
] as const)("%s calls a signature by a demo key DEMO, while quality says what was asked", (_, write) => {
  const answer = write({ ...model, kind: "demo" }, addresses)
  expect(answer.quality).toBe("SES")
  expect(answer.signatures.map((s) => s.signed_quality)).toEqual(["DEMO", undefined, undefined])
})
