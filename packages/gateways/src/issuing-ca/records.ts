/** What the built-in authority keeps, in whose hands ever: `@paraph/store/postgres/authorities` and `…/issued-certificates`. */

export type Kind = "demo" | "production"

export type Role = "root" | "issuing" | "responder" | "service" | "report"

export type Authority = {
  readonly id: string
  readonly kind: Kind
  readonly role: Role
  readonly generation: number
  /** Null for a root, and for one under somebody else's. */
  readonly issuerId: string | null
  readonly keyLabel: string
  readonly state: "making" | "requested" | "active" | "revoked"
  readonly certificate: Uint8Array | null
  /** Issuers that are not ours, the nearest first. */
  readonly chain: readonly Uint8Array[]
  readonly notBefore: Date | null
  readonly notAfter: Date | null
}

export type NewAuthority = Pick<
  Authority,
  "id" | "kind" | "role" | "generation" | "issuerId" | "keyLabel"
> & {
  readonly state: "making" | "requested"
  readonly at: Date
}

export type MadeAuthority = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly notBefore: Date
  readonly notAfter: Date
}

export type Answer = { readonly bytes: Uint8Array; readonly at: Date; readonly until: Date }

/** Null is due never: the certificate ends before. */
export type DueAnswer = { readonly answer: Answer | null; readonly dueAt: Date | null }

export type Issued = {
  readonly issuerId: string
  readonly serial: Uint8Array
  readonly kind: Kind
  readonly orderId: string
  readonly orderHash: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  readonly certificate: Uint8Array | null
  readonly revocation: { readonly at: Date; readonly reason: string } | null
  readonly answer: Answer | null
}

export type NewIssued = Pick<
  Issued,
  "issuerId" | "serial" | "kind" | "orderId" | "orderHash" | "notBefore" | "notAfter"
>

export type RevocationList = {
  readonly number: number
  readonly list: Uint8Array
  readonly issuedAt: Date
  readonly until: Date
  readonly dueAt: Date
}

export type AuthorityRecords = {
  readonly authorities: (kind: Kind) => Promise<readonly Authority[]>
  readonly addAuthority: (authority: NewAuthority) => Promise<void>
  readonly completeAuthority: (id: string, made: MadeAuthority) => Promise<void>
  /** Before the key is used; an order that is on record already answers that record. */
  readonly recordOrder: (order: NewIssued, at: Date) => Promise<Issued>
  /** Answers the certificate on record: of two who signed at once, the first one's stands. */
  readonly completeOrder: (
    of: Pick<Issued, "issuerId" | "serial">,
    certificate: Uint8Array,
    first: DueAnswer,
  ) => Promise<Uint8Array>
  readonly findIssued: (issuerId: string, serial: Uint8Array) => Promise<Issued | null>
  readonly claimDueAnswers: (due: {
    readonly now: Date
    /** An answer that was signed after this is due too: the clock has been put back since. */
    readonly future: Date
    readonly againAt: Date
    readonly limit: number
  }) => Promise<readonly Issued[]>
  readonly keepAnswer: (of: Issued, next: DueAnswer) => Promise<void>
  readonly listRevoked: (
    issuerId: string,
  ) => Promise<readonly { readonly serial: Uint8Array; readonly at: Date; readonly reason: string }[]>
  readonly findList: (authorityId: string) => Promise<RevocationList | null>
  readonly keepList: (authorityId: string, list: RevocationList) => Promise<void>
}
