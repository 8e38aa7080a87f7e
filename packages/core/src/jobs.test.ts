import { describe, expect, it } from "vitest"
import { type Job, jobOf, orderKeyOf } from "./jobs.ts"
import { sampleRequest } from "./signature-request/sample.ts"

const of = { businessId: "b1", requestId: "r1" }

describe("the job of an effect", () => {
  it("invites one signer", () => {
    expect(jobOf(sampleRequest([1]), { type: "invite", signatureId: "s1" })).toEqual({
      task: "invite-signer",
      ...of,
      signatureId: "s1",
    })
  })

  it("makes one mark on one document", () => {
    const effect = { type: "sign", signatureId: "s1", documentId: "d2" } as const
    expect(jobOf(sampleRequest([1]), effect)).toEqual({
      task: "sign-document",
      ...of,
      signatureId: "s1",
      documentId: "d2",
    })
  })

  it.each(["success", "update", "error"] as const)("calls the %s address and no other", (which) => {
    const callbacks = {
      success: "https://a.example/success",
      update: "https://a.example/update",
      error: "https://a.example/error",
    }
    expect(jobOf(sampleRequest([1], { callbacks }), { type: "call-back", which })).toEqual({
      task: "deliver-callback",
      ...of,
      type: which,
      url: `https://a.example/${which}`,
    })
  })

  it("names the newest version of the first document, as it is when the effect arises", () => {
    const request = sampleRequest([1], {
      callbacks: { success: "https://a.example/SERVICE_SIGNATURE_REQUEST_ID?d=SERVICE_DOCUMENT_ID" },
      documents: [
        { id: "d1", newestId: "d1-signed" },
        { id: "d2", newestId: "d2-signed" },
      ],
    })
    expect(jobOf(request, { type: "call-back", which: "success" })).toMatchObject({
      url: "https://a.example/r1?d=d1-signed",
    })
  })

  it("is none for a callback without an address", () => {
    const request = sampleRequest([1], { callbacks: { success: "https://a.example/" } })
    expect(jobOf(request, { type: "call-back", which: "update" })).toBeNull()
    expect(jobOf(request, { type: "call-back", which: "error" })).toBeNull()
  })
})

describe("the order of jobs", () => {
  const url = "https://a.example/"
  const callback = (requestId: string, type: "success" | "update"): Job => ({
    task: "deliver-callback",
    businessId: "b1",
    requestId,
    type,
    url,
  })

  it("is kept among the callbacks of one request, whichever they are", () => {
    expect(orderKeyOf(callback("r1", "update"))).not.toBeNull()
    expect(orderKeyOf(callback("r1", "update"))).toBe(orderKeyOf(callback("r1", "success")))
  })

  it("is not kept between two requests", () => {
    expect(orderKeyOf(callback("r1", "update"))).not.toBe(orderKeyOf(callback("r2", "update")))
  })

  it("is not kept among invitations and signatures", () => {
    expect(orderKeyOf({ task: "invite-signer", ...of, signatureId: "s1" })).toBeNull()
    expect(orderKeyOf({ task: "sign-document", ...of, signatureId: "s1", documentId: "d1" })).toBeNull()
  })
})
