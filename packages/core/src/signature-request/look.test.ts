import { describe, expect, it } from "vitest"
import { LIMITS } from "../limits.ts"
import { newWorld } from "../testing/world.ts"
import { currentConsent } from "./consent.ts"
import { decline } from "./decline.ts"
import type { ChosenLook, ChosenPlace } from "./look.ts"
import type { SigningParts } from "./make-mark.ts"
import type { PrepareOptions } from "./ports.ts"
import { type Agreed, requestSigning } from "./request-signing.ts"
import { readPicture, sendPicture } from "./send-picture.ts"
import { performSigning } from "./sign.ts"

const signer = { businessId: "b1", requestId: "r1", signatureId: "s1" }
const position = { page: 0, x: 10, y: 20, width: 100, height: 40 }
const place: ChosenPlace = { documentId: "d1", position }
const drawing: ChosenLook = { type: "drawn", width: 100, height: 50, strokes: [[1, 2, 3, 4]] }
const png = Uint8Array.of(1, 2, 3)

const press = (world: ReturnType<typeof newWorld>, more: Partial<Agreed>) =>
  requestSigning({ ...world.parts, sha256: () => "00" }, signer, {
    name: "Ann",
    consentVersion: currentConsent().version,
    shown: ["d1"],
    ...more,
  })

/** Makes the mark, and tells with what it was prepared. */
async function preparedIn(world: ReturnType<typeof newWorld>): Promise<PrepareOptions | undefined> {
  let asked: PrepareOptions | undefined
  const parts: SigningParts = {
    ...world.parts,
    prepareMark: (held, options) => {
      asked = options
      return world.parts.prepareMark(held, options)
    },
  }
  await performSigning(parts, { ...signer, documentId: "d1" })
  return asked
}

describe("what a signer chooses", () => {
  it("[VIS-01] is shown where they put it, and the evidence says what and where, not how it looks", async () => {
    const world = newWorld([], ["s1"])
    await press(world, { look: drawing, places: [place] })
    expect(world.request().signatures[0]?.consent).toMatchObject({ look: { type: "drawn" }, places: [place] })
    const [evidence] = world.evidence()
    expect(evidence?.data).toMatchObject({ look: "drawn", places: "d1 0 10 20 100 40" })
    expect(JSON.stringify(world.evidence())).not.toContain("strokes")
    expect(await preparedIn(world)).toMatchObject({ field: "new", positions: [position], look: drawing })
    expect(world.request().signatures[0]?.state).toBe("signed")
    expect(world.looks()).toEqual([])
  })

  it("[VIS-01] is not seen without a place", async () => {
    const world = newWorld([], ["s1"])
    await press(world, {
      look: { type: "typed", font: "allura" },
      places: [{ documentId: "d1", position: null }],
    })
    expect(await preparedIn(world)).toMatchObject({ positions: [], look: { type: "typed", font: "allura" } })
  })

  it("[VIS-07] is shown at a place that the request enforces, which they cannot move", async () => {
    const world = newWorld([], ["s1"])
    world.change((request) => ({
      ...request,
      signatures: request.signatures.map((s) => ({
        ...s,
        marks: s.marks.map((m) => ({ ...m, visual: { type: "positions", positions: [position] } as const })),
      })),
    }))
    await expect(press(world, { places: [{ ...place, position: { ...position, x: 11 } }] })).rejects.toThrow(
      "fixed",
    )
    await expect(press(world, { places: [{ ...place, position: null }] })).rejects.toThrow("fixed")
    await press(world, { look: drawing })
    expect(await preparedIn(world)).toMatchObject({ positions: [position], look: drawing })
  })

  it.each<[string, Partial<Agreed>]>([
    ["a place beyond the page", { places: [{ ...place, position: { ...position, x: 590 } }] }],
    ["a place in another document", { places: [{ ...place, documentId: "d2" }] }],
    ["too many places", { places: Array(LIMITS.positionsPerSignature + 1).fill(place) }],
    ["a picture that was not sent", { look: { type: "picture", id: "p" } }],
    ["a drawing without strokes", { look: { ...drawing, strokes: [] } as ChosenLook }],
    [
      "a drawing of too many points",
      { look: { ...drawing, strokes: [Array(12_002).fill(1)] } as ChosenLook },
    ],
    ["a stroke beyond the canvas", { look: { ...drawing, strokes: [[1, 51]] } as ChosenLook }],
  ])("is refused where it is %s, and nothing is kept of it", async (_, chosen) => {
    const world = newWorld([], ["s1"])
    await expect(press(world, chosen)).rejects.toMatchObject({ code: "constraint-violated" })
    expect([world.request().signatures[0]?.consent, world.looks()]).toEqual([null, []])
  })

  it("is what they chose first, however often they press", async () => {
    const world = newWorld([], ["s1"])
    await press(world, { look: drawing, places: [place] })
    await press(world, { look: { ...drawing, strokes: [[9, 9]] } as ChosenLook })
    expect(world.looks()[0]?.shown).toEqual(drawing)
  })
})

describe("a picture to sign with", () => {
  it("is there for the one who sent it, until it is used", async () => {
    const world = newWorld([], ["s1", "s2"])
    const id = await sendPicture(world.parts, signer, png)
    expect(await readPicture(world.parts, signer, id)).toEqual(png)
    const other = { ...signer, signatureId: "s2" }
    await expect(readPicture(world.parts, other, id)).rejects.toMatchObject({ code: "not-found" })
    await press(world, { look: { type: "picture", id } })
    await expect(sendPicture(world.parts, signer, png)).rejects.toMatchObject({ code: "signature-not-open" })
    expect((await preparedIn(world))?.look).toEqual({ type: "picture", png })
    expect(world.looks()).toEqual([])
  })

  it("gives way to a newer one, and goes when its request ends", async () => {
    const world = newWorld([], ["s1", "s2"])
    const first = await sendPicture(world.parts, signer, png)
    const second = await sendPicture(world.parts, signer, png)
    await expect(readPicture(world.parts, signer, first)).rejects.toMatchObject({ code: "not-found" })
    expect(second).not.toBe(first)
    // Somebody else declines: nobody signs any more.
    await decline(world.parts, { ...signer, signatureId: "s2" }, undefined)
    expect(world.looks()).toEqual([])
  })
})
