// Swaps: the page is as it was signed, and what it refers to is not. One object, one change.

import { GLYPH_NINE, image, imageBytes, look, N, ref, stream, text, toUnicode } from "./contract.ts"
import { append, changed } from "./revision.ts"
import type { Attack, Technique } from "./technique.ts"

const BASES = [
  "table B-B P=none ×1",
  "stream B-B P=none ×1 seen",
  "table B-B P=3 ×1 seen",
  "table B-LTA P=1 ×1",
  "stream B-LTA P=3 ×2",
]

const swap = (
  kind: Attack["class"],
  name: string,
  change: (base: Parameters<Technique["make"]>[0]) => readonly (readonly [number, string])[],
): Technique => ({
  class: kind,
  name,
  expected: "undefined",
  on: (base) => BASES.includes(base.name),
  make: (base) => append(base, { objects: change(base) }),
})

const differences = (list: string): string =>
  `<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [${list}] >>`

/** From the space to the tilde, all as wide as nothing but one. */
const narrow = `[${Array.from({ length: 95 }, (_, i) => (i === 16 ? 2000 : 250)).join(" ")}]`

export const content: readonly Technique[] = [
  swap("font-swap", "the figures exchanged by the encoding", () => [
    [N.encoding, differences("49 /nine 57 /one")],
  ]),
  swap("font-swap", "one figure left out by the encoding", () => [[N.encoding, differences("48 /space")]]),
  swap("font-swap", "an encoding in the place of a reference to one", (base) => [
    [N.font, changed(base, N.font, { Encoding: differences("49 /nine") })],
  ]),
  swap("font-swap", "other widths", () => [[N.widths, narrow]]),
  swap("font-swap", "other widths in the font itself", (base) => [
    [N.font, changed(base, N.font, { Widths: narrow })],
  ]),
  swap("font-swap", "another text to copy and to read out", () => [
    [N.toUnicode, stream(toUnicode("<30> <39> <0041>"))],
  ]),
  swap("font-swap", "no text to copy and to read out", (base) => [
    [N.font, changed(base, N.font, { ToUnicode: null })],
  ]),
  swap("font-swap", "another base font", (base) => [
    [N.font, changed(base, N.font, { BaseFont: "/Courier-Bold" })],
  ]),
  swap("font-swap", "a glyph of the font program drawn otherwise", () => [[N.glyphOne, stream(GLYPH_NINE)]]),
  swap("font-swap", "a glyph of the font program drawn as nothing", () => [
    [N.glyphNine, stream("600 0 0 0 1 1 d1")],
  ]),
  swap("font-swap", "the font program made of other procedures", (base) => [
    [
      N.drawnFont,
      changed(base, N.drawnFont, { CharProcs: `<< /one ${ref(base.free)} /nine ${ref(N.glyphNine)} >>` }),
    ],
    [base.free, stream("600 0 0 0 600 700 d1 50 50 500 100 re f")],
  ]),
  swap("font-swap", "the matrix of the font", (base) => [
    [N.drawnFont, changed(base, N.drawnFont, { FontMatrix: "[0.003 0 0 0.003 0 0]" })],
  ]),
  swap("font-swap", "a font drawn by procedures where there was one of letters", (base) => [
    [N.font, changed(base, N.drawnFont, {})],
  ]),
  swap("font-swap", "a font under another name of the resources", (base) => [
    [N.resources, changed(base, N.resources, { Font: `<< /F1 ${ref(N.drawnFont)} /F2 ${ref(N.font)} >>` })],
  ]),
  swap("font-swap", "a descriptor with a font program that is none", (base) => [
    [
      N.font,
      changed(base, N.font, {
        Subtype: "/TrueType",
        FontDescriptor: `<< /Type /FontDescriptor /FontName /Helvetica /Flags 4 /FontBBox [0 0 1 1] /FontFile2 ${ref(base.free)} >>`,
      }),
    ],
    [base.free, stream("another font")],
  ]),

  swap("image-swap", "other pixels", () => [[N.image, image(imageBytes(100))]]),
  swap("image-swap", "pixels turned round by the decode array", () => [
    [N.image, image(imageBytes(0), "/Decode [1 0]")],
  ]),
  swap("image-swap", "a mask over the picture", (base) => [
    [N.image, image(imageBytes(0), `/SMask ${ref(base.free)}`)],
    [base.free, image("\0".repeat(64))],
  ]),
  swap("image-swap", "a colour key that makes it transparent", () => [
    [N.image, image(imageBytes(0), "/Mask [0 255]")],
  ]),
  swap("image-swap", "another picture for the printer", (base) => [
    [N.image, image(imageBytes(0), `/Alternates [<< /Image ${ref(base.free)} /DefaultForPrinting true >>]`)],
    [base.free, image(imageBytes(100))],
  ]),
  swap("image-swap", "a stencil in the place of a picture", () => [
    [
      N.image,
      stream(
        "\xff\x00\xff\x00\xff\x00\xff\x00",
        "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ImageMask true /BitsPerComponent 1",
      ),
    ],
  ]),
  swap("image-swap", "a form in the place of a picture", () => [[N.image, look("0 0 1 1 re f", 1, 1)]]),

  swap("content-swap", "the form that the page draws", () => [
    [N.logo, look(text(0, 5, "Total: CHF 9000.00"), 200, 20)],
  ]),
  swap("content-swap", "the place of the form that the page draws", () => [
    [
      N.logo,
      look(text(0, 5, "Total: CHF 1000.00"), 200, 20).replace("/Subtype", "/Matrix [1 0 0 1 900 0] /Subtype"),
    ],
  ]),
  swap("content-swap", "the box of the form that the page draws", () => [
    [N.logo, look(text(0, 5, "Total: CHF 1000.00"), 85, 20)],
  ]),
  swap("content-swap", "a form in a layer that is not shown", () => [
    [
      N.logo,
      look(text(0, 5, "Total: CHF 1000.00"), 200, 20).replace(
        "/Subtype",
        `/OC ${ref(N.hiddenLayer)} /Subtype`,
      ),
    ],
  ]),
  swap("content-swap", "the colour profile", () => [
    [N.profile, stream("no profile", "/N 3 /Alternate /DeviceRGB")],
  ]),
  swap("content-swap", "the colour space by one that prints nothing", () => [
    [N.colours, "[/Separation /None /DeviceGray << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [1] >>]"],
  ]),
  swap("content-swap", "the colour space by a table of colours", () => [
    [N.colours, "[/Indexed /DeviceGray 1 <ffff>]"],
  ]),
  swap("content-swap", "the colours of a shading", () => [
    [N.shadingFunction, "<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 1 1] /C1 [1 1 1] >>"],
  ]),
  swap("content-swap", "the way of a shading", (base) => [
    [N.shading, changed(base, N.shading, { Coords: "[900 0 901 0]", Extend: "[false false]" })],
  ]),
  swap("content-swap", "the state by one that draws nothing", () => [
    [N.state, "<< /Type /ExtGState /ca 0 /CA 0 >>"],
  ]),
  swap("content-swap", "the state by one that masks all", (base) => [
    [N.state, `<< /Type /ExtGState /SMask << /Type /Mask /S /Luminosity /G ${ref(base.free)} >> >>`],
    [
      base.free,
      look("0 g 0 0 595 842 re f", 595, 842).replace(
        "/Subtype",
        "/Group << /S /Transparency /CS /DeviceGray >> /Subtype",
      ),
    ],
  ]),
  swap("content-swap", "the resources by others", (base) => [
    [
      N.resources,
      changed(base, N.resources, { XObject: `<< /Picture ${ref(N.logo)} /Logo ${ref(N.image)} >>` }),
    ],
  ]),
  swap("content-swap", "the words that are read out to those who do not see", (base) => [
    [N.paragraph, changed(base, N.paragraph, { ActualText: "(The lender pays CHF 9000.00.)" })],
  ]),
  swap("content-swap", "a page's own resources in the place of shared ones", (base) => [
    [
      N.page,
      changed(base, N.page, {
        Resources: changed(base, N.resources, { ExtGState: "<< /Plain << /ca 0 >> >>" }),
      }),
    ],
  ]),
]
