import type { Document } from "@paraph/core/document/model"
import type { Held } from "@paraph/core/document/ports"
import { Refusal } from "@paraph/core/refusal"
import type { Picture, RenderAsked } from "@paraph/gateways/pdf"
import { describe, expect, it } from "vitest"
import { createPreviews } from "./previews.ts"

const picture = (bytes: number): Picture => ({
  contentType: "image/webp",
  bytes: new Uint8Array(bytes),
  widthPx: 1,
  heightPx: 1,
})
const document = { id: "one", businessId: "Acme" } as Document
const page = (number: number): RenderAsked => ({ page: number, format: "webp", scale: 20 })

/** Counts what is drawn, and what is held while it is. */
function world(draw: (asked: RenderAsked) => Promise<Picture | null>, keptBytes = 1_000) {
  const seen = { drawn: [] as number[], held: 0, time: 0 }
  const held = { release: async () => void seen.held-- } as Held
  const previews = createPreviews({
    holdDocument: async () => {
      seen.held++
      return held
    },
    draw: async (_, asked) => {
      seen.drawn.push(asked.page)
      return draw(asked)
    },
    keptBytes,
    now: () => new Date(seen.time),
  })
  return {
    seen,
    picture: (number: number, of = document) => previews.picture(of, page(number)),
  }
}

describe("pages that were drawn", () => {
  it("are drawn once, also for two who ask at the same moment", async () => {
    const { seen, picture: ask } = world(async () => picture(10))
    expect(await Promise.all([ask(0), ask(0)])).toEqual([picture(10), picture(10)])
    await ask(0)
    expect(seen).toMatchObject({ drawn: [0], held: 0 })
  })

  it("make room for others, those first that nobody has asked for the longest", async () => {
    const { seen, picture: ask } = world(async () => picture(400))
    for (const number of [0, 1, 0, 2]) await ask(number)
    expect(seen.drawn).toEqual([0, 1, 2])
    await ask(0)
    expect(seen.drawn).toEqual([0, 1, 2])
    await ask(1)
    expect(seen.drawn).toEqual([0, 1, 2, 1])
  })

  it("that cannot be drawn are not tried again for a while, and then are", async () => {
    for (const draw of [
      async () => null,
      async () => {
        throw new Refusal("cannot-render", "It took too long.")
      },
    ]) {
      const { seen, picture: ask } = world(draw)
      for (let i = 0; i < 3; i++) await expect(ask(0)).rejects.toMatchObject({ code: "cannot-render" })
      expect(seen).toMatchObject({ drawn: [0], held: 0 })
      seen.time += 10 * 60_000
      await expect(ask(0)).rejects.toBeInstanceOf(Refusal)
      expect(seen.drawn).toEqual([0, 0])
    }
  })

  it("that met a part of ours that was down are tried again at once", async () => {
    const outcomes = [new Refusal("part-down", "Too many documents at once."), picture(1)]
    const { seen, picture: ask } = world(async () => {
      const outcome = outcomes.shift() ?? null
      if (outcome instanceof Refusal) throw outcome
      return outcome
    })
    await expect(ask(0)).rejects.toMatchObject({ code: "part-down" })
    expect(await ask(0)).toEqual(picture(1))
    expect(seen).toMatchObject({ drawn: [0, 0], held: 0 })
  })

  it("are begun eight at a time for a business and sixteen in all; nothing is held for one more", async () => {
    const held: (() => void)[] = []
    const { seen, picture: ask } = world(() => new Promise((done) => held.push(() => done(picture(1)))))
    const of = (businessId: string) => ({ id: businessId, businessId }) as Document
    const begun = ["Acme", "Other"].flatMap((name) => PAGES.map((number) => ask(number, of(name))))
    expect(await ask(8, of("Acme"))).toBeNull()
    expect(await ask(0, of("Third"))).toBeNull()
    expect([seen.held, seen.drawn.length]).toEqual([16, 16])
    const joined = ask(0, of("Acme"))
    for (const finish of held.splice(0)) finish()
    expect(await Promise.all([...begun, joined])).toEqual(Array(17).fill(picture(1)))
    const later = ask(8, of("Acme"))
    await Promise.resolve()
    for (const finish of held.splice(0)) finish()
    expect(await later).toEqual(picture(1))
    expect(seen.held).toBe(0)
  })
})

const PAGES = [0, 1, 2, 3, 4, 5, 6, 7]
