import { describe, expect, it } from "vitest"
import type { Reading } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import { newWorld } from "../testing/world.ts"
import type { SigningParts } from "./make-mark.ts"
import { statusOf, type VisualSignature } from "./model.ts"
import type { PrepareOptions } from "./ports.ts"
import { performSigning } from "./sign.ts"

const task = { businessId: "b1", requestId: "r1", signatureId: "s1", documentId: "d1" }
const position = { page: 0, x: 10, y: 20, width: 100, height: 40 }
const field = { name: "Buyer", signed: false, positions: [position] }

/** What the mark is prepared with, where the request enforces this place and the document has one field. */
async function preparedWith(visual: VisualSignature | null): Promise<PrepareOptions | undefined> {
  const { parts } = newWorld(["s1"])
  let asked: PrepareOptions | undefined
  const placed: SigningParts = {
    ...parts,
    read: (businessId, work) => parts.read(businessId, (reading) => work(placing(reading, visual))),
    prepareMark: (held, options) => {
      asked = options
      return parts.prepareMark(held, options)
    },
  }
  await performSigning(placed, task)
  return asked
}

const placing = (reading: Reading, visual: VisualSignature | null): Reading => ({
  ...reading,
  findDocument: async (id) => {
    const document = await reading.findDocument(id)
    return document && { ...document, signatureFields: [field] }
  },
  findRequest: async (id) => {
    const request = await reading.findRequest(id)
    const signatures = request?.signatures.map((signature) => ({
      ...signature,
      marks: signature.marks.map((mark) => ({ ...mark, visual })),
    }))
    return request && { ...request, signatures: signatures ?? [] }
  },
})

describe("the place of a mark", () => {
  it("is the form field that the request names, where that is seen", async () => {
    expect(await preparedWith({ type: "form-field", name: "Buyer" })).toMatchObject({
      fieldName: "Buyer",
      field: "existing",
      positions: [position],
      lines: ["TEST – no legal effect", "Ann Example", "2026-11-02 09:00 UTC"],
    })
  })

  it("is a new field at the positions that the request names", async () => {
    const positions = [position, { ...position, y: 300 }]
    expect(await preparedWith({ type: "positions", positions })).toMatchObject({
      fieldName: "Paraph-s1",
      field: "new",
      positions,
    })
  })

  it("is nowhere to be seen where the request names none, whatever fields the document has", async () => {
    expect(await preparedWith(null)).toMatchObject({ fieldName: "Paraph-s1", field: "new", positions: [] })
  })

  it("that the document does not have ends the request in ERROR, since waiting does not help", async () => {
    const world = newWorld(["s1"])
    const prepareMark = () => Promise.reject(new Refusal("constraint-violated", "It is not in the page."))
    await performSigning({ ...world.parts, prepareMark }, task)
    expect(statusOf(world.request())).toBe("ERROR")
    expect(world.keyUses()).toBe(0)
  })
})
