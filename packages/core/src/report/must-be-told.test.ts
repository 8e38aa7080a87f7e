import { describe, expect, it } from "vitest"
import type { ToldEvent } from "../evidence/model.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import { mustBeTold } from "./must-be-told.ts"

const event = (type: string, signatureId: string | null, data: ToldEvent["data"] = {}): ToldEvent => ({
  ...{ seq: 1, type, at: SAMPLE_TIME, signatureId, data },
  ...{ salt: new Uint8Array(32), body: "", logged: null },
})

const signed = (): SignatureRequest => {
  const request = sampleRequest([null])
  const signatures = request.signatures.map((one) => ({
    ...one,
    state: "signed" as const,
    signedAt: SAMPLE_TIME,
  }))
  return { ...request, lifecycle: "started", signatures }
}

describe("what a seal says", () => {
  it("was logged: that somebody signed, and that all have", () => {
    const request = signed()
    const id = request.signatures[0]?.id ?? ""
    const [made, done] = [
      event("signature.signed", id),
      event("request.completed", null, { status: "SIGNED" }),
    ]
    expect(() => mustBeTold(request, [made, done])).not.toThrow()
    expect(() => mustBeTold(request, [done])).toThrow("signed, or did not")
    expect(() => mustBeTold(request, [made])).toThrow("that it is SIGNED")
    expect(() => mustBeTold(request, [event("signature.signed", "another"), done])).toThrow(
      "signed, or did not",
    )
  })

  it("leaves nothing out: who signed or declined by the log is not open by a row", () => {
    const request = { ...sampleRequest([null]), lifecycle: "started" as const }
    const id = request.signatures[0]?.id ?? ""
    expect(() => mustBeTold(request, [])).not.toThrow()
    for (const type of ["signature.signed", "signature.declined"])
      expect(() => mustBeTold(request, [event(type, id)])).toThrow("or did not")
  })

  it("is over as it was logged to be", () => {
    const withdrawn = { ...sampleRequest([null]), lifecycle: "withdrawn" as const }
    expect(() => mustBeTold(withdrawn, [event("request.withdrawn", null, { message: null })])).not.toThrow()
    expect(() => mustBeTold(withdrawn, [event("request.ended", null, { status: "EXPIRED" })])).toThrow(
      "WITHDRAWN",
    )
  })
})
