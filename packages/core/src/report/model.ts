import type { NameWarning } from "../names/scripts.ts"
import type { NameBy, NameProof } from "../release/model.ts"
import type { Kind, Legislation, Quality, SignatureState, Status } from "../signature-request/model.ts"
import type { ServedSpelled } from "../signature-request/served-pages.ts"

/** Decisions, "report": the signature protocol, as data. What happened is told from the evidence, and nothing else (ADR 0053). */
export type Protocol = {
  readonly requestId: string
  readonly kind: Kind
  readonly title: string
  /** Who sent it. */
  readonly sender: string
  readonly quality: Quality
  readonly legislation: Legislation | null
  readonly status: Status
  readonly createdAt: Date
  /** Null while it is open. */
  readonly endedAt: Date | null
  readonly people: readonly ProtocolPerson[]
  readonly documents: readonly ProtocolDocument[]
  /** All of them, in their order. */
  readonly events: readonly ProtocolEvent[]
}

export type ProtocolPerson = {
  readonly signatureId: string
  /** Null where nobody has said one. */
  readonly name: string | null
  /** Decisions, "identity behind AES"; "signer": typed by the person. */
  readonly nameBy: NameBy | null
  /** Who checked the name, and when (ISO 8601); null where the sender or the person stated it. */
  readonly nameProof: Pick<NameProof, "source" | "at"> | null
  /** What readers are warned of in a name of this person. */
  readonly nameWarning: NameWarning | null
  readonly email: string | null
  readonly state: SignatureState
  readonly signedAt: Date | null
  readonly declineReason: string | null
  readonly consent: ProtocolConsent | null
  /** Which pages of which document the signer was served before the consent; empty where that was not recorded. */
  readonly served: readonly ServedSpelled[]
  /** What was proved, beside the link. */
  readonly factors: readonly ProtocolFactor[]
  /** Those that the person called from, in the order in which they came. */
  readonly ipAddresses: readonly string[]
  readonly certificates: readonly ProtocolCertificate[]
  /** By a provider of identification, where one was asked. */
  readonly identifiedBy: string | null
}

export type ProtocolConsent = {
  readonly at: Date
  readonly version: string
  readonly language: string
  readonly sha256: string
  /** How it was known that the person is the one who was asked. */
  readonly through: string
}

export type ProtocolFactor = {
  readonly at: Date
  readonly kind: string
  /** Where the code was sent to. */
  readonly to: string | null
}

export type ProtocolCertificate = {
  readonly sha256: string
  readonly subject: string | null
  readonly issuer: string | null
  readonly serialNumber: string | null
}

export type ProtocolDocument = {
  readonly id: string
  readonly name: string
  /** When it became a part of the request, and the SHA-256 of its bytes then. */
  readonly uploadedAt: Date | null
  readonly sha256: string | null
  /** What signatures and renewals have made of it, in order; the last one is the newest. */
  readonly versions: readonly ProtocolVersion[]
}

export type ProtocolVersion = {
  readonly id: string
  readonly at: Date
  readonly sha256: string | null
  /** Whose mark made it; null: its time-stamp was renewed. */
  readonly signatureId: string | null
}

export type ProtocolEvent = {
  readonly seq: number
  readonly type: string
  readonly at: Date
  readonly signatureId: string | null
  readonly data: Readonly<Record<string, string | number | null>>
  /** Whether a signed head of the log has it already. */
  readonly logged: boolean
}
