import { describe, expect, it } from "vitest"
import { jobOf } from "./jobs.ts"
import { sampleRequest } from "./testing/sample.ts"

const of = { businessId: "b1", requestId: "r1" }

describe("the job of an effect", () => {
  it.each([
    ["invite", "invitation"],
    ["your-turn", "your-turn"],
    ["remind", "reminder"],
  ] as const)("writes to one signer: %s", (type, letter) => {
    expect(jobOf(sampleRequest([1]), { type, signatureId: "s1" })).toEqual({
      task: "invite-signer",
      ...of,
      signatureId: "s1",
      letter,
    })
  })

  it("tells one person, with all that the letter says; nobody where it would say nothing", () => {
    const to = { email: "s1@example.org", language: "fr", signatureId: "s1" } as const
    const request = sampleRequest([1], { withdrawMessage: "Sorry." })
    expect(jobOf(request, { type: "tell", letter: "withdrawn", to })).toEqual({
      task: "send-mail",
      ...of,
      to,
      told: { letter: "withdrawn", title: "Contract", kind: "demo", creator: null, message: "Sorry." },
    })
    expect(jobOf(request, { type: "tell", letter: "expired", to })).toBeNull()
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
        { id: "d1", newestId: "d1-signed", name: "One", renewAt: null },
        { id: "d2", newestId: "d2-signed", name: "Two", renewAt: null },
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
