import { expect, it } from "vitest"
import { contrast, contrastWithWhite } from "./accent.ts"
import { shadesOf } from "./shades.ts"

/** Every colour on a coarse grid that is allowed at all, and those at the very edge of it. */
const accents = ["00", "33", "66", "99", "cc", "ff"]
  .flatMap((r, _, all) => all.flatMap((g) => all.map((b) => `#${r}${g}${b}`)))
  .concat("#767676", "#1f4e79", "#c2410c", "#0f766e")
  .filter((accent) => contrastWithWhite(accent) >= 4.5)

it("every accent that is allowed can be read in both schemes, as words and under words", () => {
  expect(accents.length).toBeGreaterThan(50)
  for (const accent of accents) {
    const { light, dark } = shadesOf(accent)
    for (const ground of ["#f6f3ec", "#fffdf8", "#ffffff"])
      expect(contrast(light.accent, ground)).toBeGreaterThanOrEqual(4.5)
    for (const ground of ["#12161f", "#1b2130"])
      expect(contrast(dark.accent, ground)).toBeGreaterThanOrEqual(4.5)
    for (const { accent: under, strong, on } of [light, dark])
      for (const ground of [under, strong]) expect(contrast(on, ground)).toBeGreaterThanOrEqual(4.5)
  }
})

it("an accent that is dark enough stays as it is on paper", () => {
  expect(shadesOf("#1f4e79").light.accent).toBe("#1f4e79")
})
