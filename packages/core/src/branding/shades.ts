import { contrast, mixed } from "./accent.ts"

/** What is made of an accent, for a page in each of the two schemes. */
export type Shades = { readonly light: Shade; readonly dark: Shade }
export type Shade = {
  /** Buttons, links and lines. */
  readonly accent: string
  /** The same while the pointer is on it. */
  readonly strong: string
  /** Words on the accent. */
  readonly on: string
}

/** The grounds that the accent stands on (door-css.ts, app.css, mail's layout.ts), the one that is hardest to read on. */
const PAPER = "#f6f3ec"
const NIGHT = "#1b2130"
const NIGHT_INK = "#0e1730"

/** WCAG 2.2, 1.4.3; in the dark more, since thin bright letters look thinner. */
const ON_PAPER = 4.5
const ON_NIGHT = 7

/** As near to the business's own colour as people can read: a little darker on paper, and as light as it must be at night. */
export function shadesOf(accent: string): Shades {
  const light = until(accent, "#000000", (shade) => contrast(shade, PAPER) >= ON_PAPER)
  const dark = until(accent, "#ffffff", (shade) => contrast(shade, NIGHT) >= ON_NIGHT)
  return {
    light: { accent: light, strong: mixed(light, "#000000", 0.25), on: "#ffffff" },
    dark: { accent: dark, strong: mixed(dark, "#ffffff", 0.4), on: NIGHT_INK },
  }
}

function until(accent: string, towards: string, isGood: (shade: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mixed(accent, towards, share)
    if (isGood(shade)) return shade
  }
  return towards
}
