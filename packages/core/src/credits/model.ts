import type { Kind } from "../signature-request/model.ts"

/**
 * What is paid for in credits, by the name that an invoice gives it. Only what does something costs: what is read of a result is a
 * part of its price, and nothing that only looks is booked (choice 417).
 */
export const SKUS = {
  "validate-document": { endpoint: "/v1/validate/document", priced: true },
  "read-validation": { endpoint: "/v1/infos/{id}/validation", priced: false },
  "read-signers": { endpoint: "/v1/infos/{id}/signers", priced: false },
  "read-format": { endpoint: "/v1/infos/{id}/format", priced: false },
  "read-difference": { endpoint: "/v1/infos/{id}/differences/{n}", priced: false },
  "read-etsi-report": { endpoint: "/v1/reports/{id}/etsi", priced: false },
  "read-pdf-report": { endpoint: "/v1/reports/{id}/pdf", priced: false },
} as const satisfies Record<string, { readonly endpoint: string; readonly priced: boolean }>
export type Sku = keyof typeof SKUS
/** Those that can be booked. */
export type PricedSku = { [S in Sku]: (typeof SKUS)[S]["priced"] extends true ? S : never }[Sku]

/** What is agreed with a business. */
export type CreditAgreement = {
  /** Credits that a validation costs. */
  readonly price: number
  /** How many may be used within a calendar month; null: as many as one likes. */
  readonly included: number | null
  readonly validFrom: Date
}

/** For businesses with which nothing else was agreed; counts since there is the business. */
export type UsualCredits = Pick<CreditAgreement, "price" | "included">

export type Booking = {
  readonly kind: Kind
  readonly sku: PricedSku
  readonly credits: number
  readonly at: Date
}

/** How much of one thing there was within some days. */
export type Booked = { readonly sku: string; readonly requests: number; readonly credits: number }

/** What a use costs with a key of this kind; demo keys are never billed (AUTH-11). */
export const priceOf = (sku: Sku, kind: Kind, { price }: Pick<CreditAgreement, "price">): number =>
  SKUS[sku].priced && kind === "production" ? price : 0
