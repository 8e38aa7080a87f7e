import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { handMadePdf } from "../testing/hand-made-pdf.ts"
import { laterRevision, streamBody } from "../testing/later-revision.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { TENANT } from "../testing/tenant.ts"
import { type CompareAsked, createPdfRooms } from "./rooms.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-fields-"))
const rooms = createPdfRooms({ folder, wallMs: 120_000, warmComparing: 1 })

afterAll(async () => {
  await rooms.close()
  rmSync(folder, { recursive: true })
})

const base = handMadePdf(["BT /F1 10 Tf 60 600 Td (Clause 1) Tj ET"])
const PAGE =
  "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >>"

async function compare(after: Uint8Array, asked: Partial<CompareAsked>) {
  const all = { before: base.length, pages: [], maxPictures: 0, ...asked }
  return rooms.compare(await sealedFileOf(after, folder), TENANT, all)
}

describe("what fields say", () => {
  const FIELD = [60, 100, 260, 120] as const
  const fieldWith = (look: string, more = "") =>
    laterRevision(base, [
      [1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [20 0 R] >> >>"],
      [4, `<< ${PAGE} /Annots [20 0 R] ${more} >>`],
      [
        20,
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (A) /F 4 /V (1000) /Rect [${FIELD.join(" ")}] /AP << /N 21 0 R >> >>`,
      ],
      [
        21,
        streamBody(
          look,
          "/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 3 0 R >> >>",
        ),
      ],
    ])
  const saidIn = async (
    file: Uint8Array,
    rect: readonly [number, number, number, number] = FIELD,
    page = 0,
  ) => (await compare(file, { pages: [], fields: [{ page, rect }] })).fieldTexts

  it("is the text of their appearance, whatever their value is", async () => {
    const shows = fieldWith("/Tx BMC BT /F1 11 Tf 2 5 Td (CHF 9000) Tj ET EMC")
    expect(await saidIn(shows)).toEqual(["CHF 9000"])
    expect(await saidIn(fieldWith("/Tx BMC EMC"))).toEqual([""])
    expect(await saidIn(fieldWith("BT /F1 11 Tf 2 5 Td (CHF 9000) Tj ET", "/Rotate 90"))).toEqual([
      "CHF 9000",
    ])
    expect(await saidIn(shows, [300, 100, 400, 120])).toEqual([""])
    expect(await saidIn(shows, FIELD, 7)).toEqual([null])
  })

  it("is a difference where it is not their value, though it may be new there", async () => {
    const filled = fieldWith("/Tx BMC BT /F1 11 Tf 2 5 Td (1,000.00) Tj ET EMC")
    const judged = async (says: string) => {
      const compared = await compare(filled, {
        pages: [{ page: 0, allowed: [{ rect: FIELD, why: "form-fill", says }] }],
        maxPictures: 1,
      })
      return [compared.pages[0]?.kinds, compared.pictures.length]
    }
    expect(await judged("1000")).toEqual([[], 0])
    expect(await judged("9000")).toEqual([["says-otherwise"], 1])
    expect(await judged("")).toEqual([["says-otherwise"], 1])
  })

  it("is not what an invisible text says", async () => {
    expect(await saidIn(fieldWith("BT /F1 11 Tf 3 Tr 2 5 Td (1000) Tj ET"))).toEqual([""])
  })
})
