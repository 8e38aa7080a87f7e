/** How a business shows itself to those whom it asks to sign. */
export type Branding = {
  /** Such as #1f4e79; null: ours. */
  readonly accent: string | null
  /** The id of the logo, by which everybody may see it; null where there is none. */
  readonly logoId: string | null
  /** Whom mails come from; null: the name of the business. */
  readonly senderName: string | null
  /** Another name than the registered one is not used before an operator has confirmed it. */
  readonly senderNameState: SenderNameState
}

export type SenderNameState = "PENDING" | "CONFIRMED"

/** Cleaned: pixels of our own packing. */
export type Logo = {
  readonly id: string
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

export const NO_BRANDING: Branding = {
  accent: null,
  logoId: null,
  senderName: null,
  senderNameState: "CONFIRMED",
}
