import { describe } from "vitest"
import { annotation, FORM, withPage } from "../testing/conditional-files.ts"
import { accepts, refuses } from "../testing/view-cases.ts"

describe("[B2] annotations that readers draw differently", () => {
  const stamp = (appearance: string, entries = "") =>
    annotation(`/Subtype /Stamp /F 4 /AP << /N ${appearance} >> ${entries}`, FORM)
  const link = (rect: string, entries = "") =>
    `<< /Type /Annot /Subtype /Link /Rect [${rect}] ${entries} /A << /S /URI /URI (https://example.com) >> >>`
  const links = (...each: readonly string[]) => withPage(`/Annots [${each.join(" ")}]`)
  const NO_BOX = "<< /Type /XObject /Subtype /Form /Length 0 >>\nstream\n\nendstream"

  refuses("annotation-appearance", [
    ["an appearance without a bounding box", annotation("/Subtype /Stamp /F 4 /AP << /N 4 0 R >>", NO_BOX)],
    ...["Highlight", "Underline", "Squiggly", "StrikeOut"].map(
      (type) =>
        [
          `a ${type} without a colour`,
          annotation(`/Subtype /${type} /F 4 /QuadPoints [0 9 9 9 0 0 9 0]`),
        ] as const,
    ),
    [
      "a Highlight whose appearance has no corners",
      annotation("/Subtype /Highlight /F 4 /AP << /N 4 0 R >>", FORM),
    ],
    ["states without a chosen one", stamp("<< /On 4 0 R >>")],
    ["a state that does not exist", stamp("<< /On 4 0 R >>", "/AS /Off")],
    ["a state that is a string", stamp("<< /On 4 0 R >>", "/AS (On)")],
    ["a square with an empty dictionary of appearances", annotation("/Subtype /Square /F 4 /AP << >>")],
    ["a square without an area", withPage("/Annots [<< /Type /Annot /Subtype /Square /Rect [0 0 0 9] >>]")],
    ["a malformed rectangle", withPage("/Annots [<< /Type /Annot /Subtype /Stamp /Rect [0 0 9] >>]")],
    ...["Popup", "Link"].map(
      (type) =>
        [
          `a ${type} with an appearance`,
          annotation(`/Subtype /${type} /F 4 /AP << /N 4 0 R >>`, FORM),
        ] as const,
    ),
    ["a border that strikes words out", links(link("20 64 180 64.5"))],
    ["a stroke of a character", links(link("20 20 22 34"))],
    ["a border that covers words", links(link("20 20 180 34", "/Border [0 0 2.5]"))],
    ["borders over each other", links(link("20 20 180 34"), link("20 22 180 36"))],
    ["a border in a border", links(link("20 20 180 50"), link("30 30 60 40", "/BS << /W 1 >>"))],
    ["borders like digits", links(...[0, 8, 16].map((x) => link(`${20 + x} 20 ${26 + x} 30`)))],
  ])
  accepts([
    ["a chosen state", stamp("<< /On 4 0 R >>", "/AS /On")],
    [
      "frames as LaTeX writes them",
      links(link("20 20 180 34", "/C [1 0 0]"), link("20 34 90 48"), link("185 20 191 29")),
    ],
    ["two links with the same frame", links(link("20 20 180 34"), link("20 20 180 34"))],
    [
      "links over each other without a border",
      links(link("20 20 180 34", "/Border [0 0 0]"), link("20 22 180 36", "/BS << /W 0 >>")),
    ],
    ["a low link with a transparent border", links(link("20 20 180 22", "/C []"))],
    ["a Popup without an appearance", annotation("/Subtype /Popup")],
  ])
})
