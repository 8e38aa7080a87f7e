import type { RefusalCode } from "../refusal.ts"
import type { Intent } from "../signature-request/intent.ts"
import type { Kind, Lack, Position } from "../signature-request/model.ts"

/** What a seal may have to wait for: its key is always in our own token. */
export type SealLack = Exclude<Lack, "provider">

/** Decisions, "identity behind AES": the keys of seals are one of these. */
export const SEAL_KEYS = ["P-256", "RSA-3072"] as const
export type SealKey = (typeof SEAL_KEYS)[number]

/** One of a company's seals (ADR 0043). Demo keys and production keys have seals of their own. */
export type Seal = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  /** `account_name` of the interface: which of the company's seals. */
  readonly name: string
  readonly holder: SealHolder
  /** Who issues its certificates: the authority of this service, or one that the operator asks by hand. */
  readonly issuer: "service" | "outside"
  readonly key: SealKey
  /** What it shows where an order names no picture of its own. */
  readonly imageId: string | null
  /** In the order of their generations. */
  readonly certificates: readonly SealCertificate[]
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** The company, as the certificate names it (EN 319 412-3, 4.2.1). */
export type SealHolder = {
  readonly organization: string
  /** Its number in a register, such as NTRCH-CHE-123.456.789 (EN 319 412-1, 5.1.4). */
  readonly identifier: string | null
  readonly country: string | null
}

/** One generation of a seal: on record before its key is made, and without a certificate until there is one. */
export type SealCertificate = {
  readonly id: string
  readonly generation: number
  /** In the token of its kind. */
  readonly keyLabel: string
  readonly issued: IssuedSeal | null
}

/** DER, and the issuers from the nearest on. */
export type IssuedSeal = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly notBefore: Date
  readonly notAfter: Date
}

export type UsableCertificate = SealCertificate & { readonly issued: IssuedSeal }

/** The newest that is valid; null where there is none. */
export const certificateOf = ({ certificates }: Seal, now: Date): UsableCertificate | null =>
  certificates.filter(isIssued).findLast(({ issued }) => issued.notBefore <= now && now < issued.notAfter) ??
  null

const isIssued = (one: SealCertificate): one is UsableCertificate => one.issued !== null

export type SealState = "requested" | "active" | "ended"

/** One whose certificate the service makes by itself is active from its first moment on. */
export function stateOf(seal: Seal, now: Date): SealState {
  if (seal.endedAt !== null) return "ended"
  return seal.issuer === "service" || certificateOf(seal, now) !== null ? "active" : "requested"
}

export type SealingState = "waiting" | "done" | "failed" | "cancelled"

/** One order: one seal on one document. */
export type Sealing = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly sealId: string
  readonly batchId: string | null
  /** The document that is sealed. */
  readonly baseId: string
  /** It came with the order, and goes when the order is over. */
  readonly isUpload: boolean
  /** The id of the sealed document, from the beginning: whoever works on it twice makes it once. */
  readonly versionId: string
  readonly position: Position | null
  readonly imageId: string | null
  /** The API user who ordered it. */
  readonly orderedBy: string
  readonly state: SealingState
  readonly waitingFor: SealLack | null
  readonly fault: SealingFault | null
  readonly createdAt: Date
}

/** With the name of its document, of the sealed one where there is one; null once both are deleted. */
export type TitledSealing = Sealing & { readonly title: string | null }

export type SealingFault = { readonly code: RefusalCode; readonly detail: string }

/** As with a signature: what is about to be signed, the value, and the time-stamp over it, each before it is used. */
export type SealIntent = Pick<Intent, "prepared" | "value" | "stamp">

/** A document with a seal, or a later version of one under a newer time-stamp. */
export type SealedDocument = {
  readonly documentId: string
  readonly kind: Kind
  readonly sealId: string
  /** The order, by which the field of the seal is named. */
  readonly sealingId: string
  /** The one that the order answered. */
  readonly firstId: string
  /** When its time-stamp is to be renewed; null where a later version has taken its place, or it never ends. */
  readonly renewAt: Date | null
}

export type SealRenewalTask = { readonly businessId: string; readonly documentId: string }

/** Up to a thousand documents that are sealed one after the other, by one job. */
export type SealBatch = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly owner: string
  readonly sealId: string
  readonly sealName: string
  readonly counts: Readonly<Record<SealingState, number>>
  readonly cancelledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type BatchState = "RUNNING" | "COMPLETED" | "CANCELLED"

export function batchState({ counts, cancelledAt }: Pick<SealBatch, "counts" | "cancelledAt">): BatchState {
  if (counts.waiting > 0) return "RUNNING"
  return cancelledAt !== null && counts.cancelled > 0 ? "CANCELLED" : "COMPLETED"
}
