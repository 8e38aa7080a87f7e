import { describe, expect, it } from "vitest"
import type { Document, Inspection, ViewFinding } from "./model.ts"
import { openingShowable } from "./showable.ts"

const document = (id: string, viewChecked: boolean): Document => ({ id, viewChecked, title: id }) as Document

/** What happened, in order. */
function newParts(view: readonly ViewFinding[] = []) {
  const happened: string[] = []
  const held = { release: async () => void happened.push("released") }
  return {
    happened,
    parts: {
      holdDocument: async ({ id }: Document) => {
        happened.push(`held ${id}`)
        return held as never
      },
      inspectPdf: async () => ({ view, active: [], signatureFields: [] }) as unknown as Inspection,
    },
  }
}

describe("[B9] a request opens only if every page can be shown", () => {
  it("at once with documents that were rendered at upload", async () => {
    const { parts, happened } = newParts()
    const opened = await openingShowable(parts, async (mustBeShowable) => {
      mustBeShowable([document("a", true)])
      return "open"
    })
    expect([opened, happened]).toEqual(["open", []])
  })

  it("with an older document after it was rendered, once", async () => {
    const { parts, happened } = newParts()
    let attempts = 0
    await openingShowable(parts, async (mustBeShowable) => {
      attempts += 1
      mustBeShowable([document("a", true), document("b", false)])
    })
    expect([attempts, happened]).toEqual([2, ["held b", "released"]])
  })

  it("and not with one whose page cannot be rendered", async () => {
    const { parts, happened } = newParts([
      { reason: "page-not-renderable", detail: "Page 1 cannot be opened." },
    ])
    const opening = openingShowable(parts, async (mustBeShowable) => mustBeShowable([document("b", false)]))
    await expect(opening).rejects.toMatchObject({ code: "pdf-not-renderable" })
    expect(happened).toEqual(["held b", "released"])
  })
})
