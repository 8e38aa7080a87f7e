import type { Shades } from "@paraph/core/branding/shades"

/** How a business shows itself in a mail; without one, a mail is dressed as ours. */
export type MailBrand = {
  readonly shades: Shades | null
  readonly logo: MailLogo | null
  /** What the business is called, where its mails come from another name; null where it is the same. */
  readonly business: string | null
}

/** Part of the mail itself: nothing is loaded from elsewhere, so opening the mail tells nobody anything. */
export type MailLogo = {
  /** RFC 2392, without the angle brackets. */
  readonly contentId: string
  readonly name: string
  readonly width: number
  readonly height: number
}

/** Our own colours, as they are where nobody says others. */
export const OURS: Shades = {
  light: { accent: "#1d3a86", strong: "#142a63", on: "#ffffff" },
  dark: { accent: "#a8c0ff", strong: "#c9d8ff", on: "#0e1730" },
}
