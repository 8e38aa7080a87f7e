/** WCAG 2.2, 1.4.3: what is to be read needs 4.5 to 1. */
export const READABLE = 4.5

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

/** Relative luminance and contrast as WCAG 2.2 defines them. */
export const contrastWithWhite = (hex: string): number => contrast(hex, "#ffffff")

/** The same colour, as much darker as it has to be so that white can be read on it. */
export const readableFrom = (hex: string): string =>
  until(hex, "#000000", (shade) => contrastWithWhite(shade) >= READABLE)

/** What the pages of signers make of it: a little darker on paper, where it would not be read (core/branding/shades.ts). */
export const dayShade = (hex: string): string =>
  until(hex, "#000000", (shade) => contrast(shade, PAPER) >= READABLE)

/** What they make of it in the dark, where a dark colour would drown. */
export const nightShade = (hex: string): string =>
  until(hex, "#ffffff", (shade) => contrast(shade, NIGHT) >= 7)

const PAPER = "#f6f3ec"
const NIGHT = "#1b2130"

function until(hex: string, towards: string, isGood: (shade: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mixed(hex, towards, share)
    if (isGood(shade)) return shade
  }
  return towards
}

function mixed(hex: string, other: string, share: number): string {
  const to = channelsOf(other)
  const octets = channelsOf(hex).map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share))
  return `#${octets.map((octet) => octet.toString(16).padStart(2, "0")).join("")}`
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(hex).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channelsOf = (hex: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

const linear = (channel: number): number => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
