import { describe, expect, it } from "vitest"
import { newWorld } from "../testing/world.ts"
import { noteMail, noteMailProblem } from "./mail.ts"

const of = { businessId: "b1", requestId: "r1" }
const signer = { ...of, signatureId: "s1" }

describe("what became of a mail", () => {
  it("is evidence: of an invitation by its own name, of any other letter with the letter's", async () => {
    const world = newWorld([], ["s1"])
    await noteMail(world.parts, { ...signer, letter: "invitation", to: null }, "sent")
    await noteMail(world.parts, { ...signer, letter: "reminder", to: null }, "failed")
    await noteMail(
      world.parts,
      { ...of, signatureId: null, letter: "completed", to: "cc@example.org" },
      "sent",
    )
    expect(world.evidence().map(({ type, signatureId, data }) => [type, signatureId, data])).toEqual([
      ["signature.invited", "s1", { to: "s1@example.org" }],
      ["mail.failed", "s1", { letter: "reminder" }],
      ["mail.sent", undefined, { letter: "completed", to: "cc@example.org" }],
    ])
  })

  it("is nobody's business where the request or the signer is gone", async () => {
    const world = newWorld([], ["s1"])
    await noteMail(world.parts, { ...signer, requestId: "gone", letter: "withdrawn", to: null }, "sent")
    await noteMail(world.parts, { ...signer, signatureId: "gone", letter: "invitation", to: null }, "sent")
    expect(world.evidence()).toEqual([])
  })
})

describe("a mail that cannot be delivered", () => {
  it("is shown at the signature, and is evidence once, however often it is told", async () => {
    const world = newWorld([], ["s1"])
    for (const problem of ["5.1.1 a", "5.1.1 a", "5.2.2 b"])
      await noteMailProblem(world.parts, signer, problem)
    expect(world.request().signatures[0]?.mailProblem).toBe("5.2.2 b")
    expect(world.evidence().map(({ type, data }) => [type, data])).toEqual([
      ["signature.mail-bounced", { problem: "5.1.1 a" }],
      ["signature.mail-bounced", { problem: "5.2.2 b" }],
    ])
  })

  it("changes nothing of a request that has ended, and is evidence all the same", async () => {
    const world = newWorld([], ["s1"])
    world.change((request) => ({ ...request, lifecycle: "withdrawn" }))
    await noteMailProblem(world.parts, signer, "5.1.1 a")
    expect(world.request().signatures[0]?.mailProblem).toBeNull()
    expect(world.evidence().map(({ type }) => type)).toEqual(["signature.mail-bounced"])
  })

  it("is nothing where the signer is gone", async () => {
    const world = newWorld([], ["s1"])
    await noteMailProblem(world.parts, { ...signer, signatureId: "gone" }, "5.1.1 a")
    expect(world.evidence()).toEqual([])
  })
})
