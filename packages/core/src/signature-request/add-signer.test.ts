import { describe, expect, it } from "vitest"
import type { Caller } from "../access/caller.ts"
import { LIMITS } from "../limits.ts"
import { SAMPLE_TIME, sampleRequest } from "../testing/sample.ts"
import { newWorld } from "../testing/world.ts"
import { addSigner } from "./add-signer.ts"
import { statusOf } from "./model.ts"
import { performSigning } from "./sign.ts"

const owner: Caller = {
  businessId: "b1",
  userId: "u1",
  username: "acme-integration",
  keyId: "k1",
  kind: "demo",
}
const dora = {
  type: "person",
  email: "dora@example.org",
  identity: null,
  place: 7,
  notify: true,
  language: "fr",
  wanted: { type: "all", visual: null },
} as const

describe("addSigner", () => {
  it("adds somebody who is to sign every document, and invites them", async () => {
    const world = newWorld([], ["s1"])
    const request = await addSigner(partsOf(world), owner, "r1", dora)
    expect(request.signatures).toHaveLength(2)
    expect(request.signatures[1]).toMatchObject({
      email: dora.email,
      place: 7,
      language: "fr",
      state: "open",
      consent: null,
      marks: [{ documentId: "d1", versionId: null }],
    })
    const signatureId = request.signatures[1]?.id
    expect(world.effects()).toEqual([{ type: "invite", signatureId }])
    const data = { email: "dora@example.org", by: owner.username, key: owner.keyId }
    expect(world.evidence()).toEqual([{ type: "signature.added", at: SAMPLE_TIME, signatureId, data }])
  })

  it("of an address that is there already adds a second identity", async () => {
    const world = newWorld([], ["s1"])
    await addSigner(partsOf(world), owner, "r1", dora)
    const { signatures } = await addSigner(partsOf(world), owner, "r1", dora)
    expect(new Set(signatures.map((s) => s.id)).size).toBe(3)
  })

  it("is for those who may write; others are told what they may know", async () => {
    const world = newWorld([], ["s1"])
    world.change((request) => ({ ...request, readAccess: ["rita"], writeAccess: ["wim"] }))
    const by = (username: string) =>
      addSigner(partsOf(world), { ...owner, userId: "x", username }, "r1", dora)
    await expect(by("rita")).rejects.toMatchObject({ code: "write-access-needed" })
    await expect(by("carl")).rejects.toMatchObject({ code: "not-found" })
    expect(world.effects()).toEqual([])
    expect((await by("wim")).signatures).toHaveLength(2)
  })

  it("is refused when the request is full, also when two come at once", async () => {
    const world = newWorld([])
    const { signatures } = sampleRequest(Array(LIMITS.signersPerRequest - 1).fill(null))
    world.change((request) => ({ ...request, signatures }))
    const both = await Promise.allSettled([1, 2].map(() => addSigner(partsOf(world), owner, "r1", dora)))
    expect(both.map((one) => one.status)).toEqual(["fulfilled", "rejected"])
    expect(world.request().signatures).toHaveLength(LIMITS.signersPerRequest)
  })

  it("is refused when the request has ended", async () => {
    const world = newWorld(["s1"])
    await performSigning(world.parts, {
      businessId: "b1",
      requestId: "r1",
      signatureId: "s1",
      documentId: "d1",
    })
    expect(statusOf(world.request())).toBe("SIGNED")
    await expect(addSigner(partsOf(world), owner, "r1", dora)).rejects.toMatchObject({
      code: "request-not-open",
    })
  })
})

const partsOf = (world: ReturnType<typeof newWorld>) => ({
  ...world.parts,
  identificationProviders: [],
  productionQualities: [],
  remoteProviders: [],
  identityProviders: [],
})
