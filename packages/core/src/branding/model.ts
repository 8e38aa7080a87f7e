/** How a business shows itself to those whom it asks to sign. */
export type Branding = {
  /** Such as #1f4e79; null: ours. */
  readonly accent: string | null
  /** The id of the logo, by which everybody may see it; null where there is none. */
  readonly logoId: string | null
  /** Whom mails come from; null: the name of the business. */
  readonly senderName: string | null
}

/** Cleaned: pixels of our own packing. */
export type Logo = {
  readonly id: string
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

export const NO_BRANDING: Branding = { accent: null, logoId: null, senderName: null }
