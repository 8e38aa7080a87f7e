import { Refusal } from "../refusal.ts"

/** WCAG 2.2, 1.4.3: words of any size. White words stand on the accent, and words in the accent stand on white. */
const CONTRAST = 4.5

/** In small letters; refuses one that people could not read. */
export function readAccent(given: string): string {
  const accent = given.toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(accent))
    throw new Refusal("constraint-violated", "accent is a colour such as #1f4e79.")
  const found = contrastWithWhite(accent)
  if (found < CONTRAST)
    throw new Refusal(
      "constraint-violated",
      `accent is too light: its contrast with white is ${shown(found)}:1, and people need ${CONTRAST}:1. Choose a darker one.`,
    )
  return accent
}

export const contrastWithWhite = (accent: string): number => contrast(accent, "#ffffff")

/** WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** So much of the other in it, by octets. */
export function mixed(accent: string, other: string, share: number): string {
  const [from, to] = [channelsOf(accent), channelsOf(other)]
  const octets = from.map((value, i) => Math.round(value + ((to[i] ?? 0) - value) * share))
  return `#${octets.map((octet) => octet.toString(16).padStart(2, "0")).join("")}`
}

/** Never rounded up to what is enough. */
const shown = (found: number): string => (Math.floor(found * 100) / 100).toFixed(2)

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const channelsOf = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

function linear(octet: number): number {
  const share = octet / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
