import { describe, expect, it } from "vitest"
import { describePdf } from "../content/describe.ts"
import { samplePdf } from "../sample.ts"
import { annotation, FORM, field, layers, withPage } from "../testing/conditional-files.ts"

describe("a document with optional content is rendered for both media", () => {
  it.each([
    ["by /Properties", true, withPage("/Resources << /Properties << /A << /Name (a) >> >> >>")],
    ["by /OC", true, annotation("/OC 4 0 R", "<< /Type /OCG /Name (a) >>")],
    ["by /OCProperties", true, layers("")],
    ["not without any", false, samplePdf()],
  ])("%s", (_, expected, file) => {
    expect(describePdf(file).hasLayers).toBe(expected)
  })
})

describe("text fields are listed for a renderer", () => {
  it("although another annotation cannot be read, which is reported as unclear", () => {
    const widget =
      "<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 4 /FT /Tx /V (1) /AP << /N 6 0 R >> >>"
    const { active, shownFields } = describePdf(withPage("/Annots [4 0 R 5 0 R]", ">>", widget, FORM))
    expect(active.map(({ kind }) => kind)).toEqual(["unclear"])
    expect(shownFields.map(({ text }) => text)).toEqual(["1"])
  })

  it("with the page, the rectangle and the text that they must show", () => {
    const file = field("/FT /Tx /V (100) /AP << /N 5 0 R >>", "", FORM)
    expect(describePdf(file).shownFields).toEqual([
      { name: "price", page: 0, rect: [0, 0, 9, 9], text: "100" },
    ])
  })

  it("a choice with the words of the option, not with what it exports", () => {
    const file = field("/FT /Ch /Ff 131072 /V (ch) /Opt [[(ch) (Switzerland)]] /AP << /N 5 0 R >>", "", FORM)
    expect(describePdf(file).shownFields.map(({ text }) => text)).toEqual(["Switzerland"])
  })

  it("a list box with the words of all chosen options", () => {
    const opt = "/Opt [[(k) (Kitchen)] [(c) (Cellar)] [(a) (Attic)]]"
    const file = field(`/FT /Ch /V [(k) (a)] ${opt} /AP << /N 5 0 R >>`, "", FORM)
    expect(describePdf(file).shownFields.map(({ text }) => text)).toEqual(["Kitchen\nAttic"])
  })

  const WIDGET = "/Type /Annot /Subtype /Widget /Rect [0 0 9 9] /F 4"
  it.each([
    [
      "without a form",
      withPage(`/Annots [4 0 R]`, `<< ${WIDGET} /FT /Tx /V (100) /AP << /N 5 0 R >> >>`, FORM),
    ],
    ["directly in its page", annotation("/Subtype /Widget /FT /Tx /V (100) /AP << /N 4 0 R >>", FORM)],
    [
      "of a parent that does not list it",
      withPage(
        `/Annots [4 0 R]`,
        `<< ${WIDGET} /Parent 6 0 R /AP << /N 5 0 R >> >>`,
        FORM,
        "<< /FT /Tx /V (100) >>",
      ),
    ],
  ])("a widget %s", (_, file) => {
    expect(describePdf(file).shownFields.map(({ page, text }) => [page, text])).toEqual([[0, "100"]])
  })

  it("but not what is hidden", () => {
    const shown = Buffer.from(field("/FT /Tx /V (1) /AP << /N 5 0 R >>", "", FORM)).toString("latin1")
    expect(describePdf(Buffer.from(shown.replace("/F 4 ", "/F 2 "), "latin1")).shownFields).toEqual([])
    const invisible = describePdf(Buffer.from(shown.replace("/F 4 ", "/F 1 "), "latin1"))
    expect(invisible.shownFields).toHaveLength(1)
  })
})
