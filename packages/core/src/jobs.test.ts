import { describe, expect, it } from "vitest"
import { type Job, jobOf, orderKeyOf } from "./jobs.ts"
import { sampleRequest } from "./testing/sample.ts"

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
      template: `https://a.example/${which}`,
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
  const callback = (requestId: string, type: "success" | "update", template: string): Job => ({
    task: "deliver-callback",
    businessId: "b1",
    requestId,
    type,
    template,
    url: "https://a.example/",
  })

  it("is kept among the callbacks of one request to one URL, whichever they are", () => {
    const [update, success] = [callback("r1", "update", "a"), callback("r1", "success", "a")]
    expect(orderKeyOf(update)).not.toBeNull()
    expect(orderKeyOf(update)).toBe(orderKeyOf(success))
  })

  it("is not kept between two requests, nor between two URLs: a dead one holds back nobody else", () => {
    expect(orderKeyOf(callback("r1", "update", "a"))).not.toBe(orderKeyOf(callback("r2", "update", "a")))
    expect(orderKeyOf(callback("r1", "update", "a"))).not.toBe(orderKeyOf(callback("r1", "success", "b")))
  })

  it("is not kept among invitations and signatures", () => {
    expect(orderKeyOf({ task: "invite-signer", ...of, signatureId: "s1" })).toBeNull()
    expect(orderKeyOf({ task: "sign-document", ...of, signatureId: "s1", documentId: "d1" })).toBeNull()
  })
})
