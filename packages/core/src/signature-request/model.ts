import type { Identification } from "../identification/model.ts"
import type { Language } from "../language.ts"
import type { EstablishedName, Vouch } from "../release/model.ts"

/** Which kind of API key made it: demo signatures have no legal weight (part 1). */
export type Kind = "demo" | "production"

export type Quality = "SES" | "AES" | "QES" | "AES_MINIMAL"
export type Legislation = "ZERTES" | "EIDAS"

/** How far the flow has come by its own triggers; everything else about a status follows from the signatures. */
export type Lifecycle = "draft" | "started" | "failed" | "expired" | "withdrawn"

/** Part 3.1, with WITHDRAWN of the decisions. */
export type Status = "DRAFT" | "OPEN" | "SIGNED" | "DECLINED" | "ERROR" | "EXPIRED" | "WITHDRAWN"

/** Part 3.2. */
export type SignatureState = "open" | "declined" | "signed" | "error"

/** Something of the outside without which no signature is made; it is tried again until it is there. */
export type Lack = "keys" | "timestamp" | "revocation" | "provider"

/** A place on a page, counted from 0; the origin is the lower left corner of the page (part 2.3). */
export type Position = {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Part 2.3: where the signer's mark must stand; a form field and positions are alternatives. */
export type VisualSignature =
  | { readonly type: "form-field"; readonly name: string }
  | { readonly type: "positions"; readonly positions: readonly Position[] }

/** One signature on one document. `versionId` is the document that the mark made; null until then. */
export type Mark = {
  readonly documentId: string
  readonly versionId: string | null
  /** Null: the signer places it freely (part 2.3). */
  readonly visual: VisualSignature | null
}

/** A handwriting that a signature can be typed in. */
export type Hand = "caveat" | "dancing-script" | "allura"

/** What is shown where the mark is seen (VIS-07). A drawing or a picture is kept apart until the signature is made. */
export type Look =
  | { readonly type: "plain" }
  | { readonly type: "drawn" }
  | { readonly type: "picture" }
  | { readonly type: "typed"; readonly font: Hand }

/** Where the signer put the mark, in a document that leaves it to them (VIS-01). */
export type Place = { readonly documentId: string; readonly position: Position }

/** What the signer agreed to, and the name they typed (decisions, "consent"). */
export type Consent = {
  readonly name: string
  readonly version: string
  readonly language: Language
  readonly sha256: string
  /** The versions of the documents that lay before the person. */
  readonly shown: readonly string[]
  readonly look: Look
  readonly places: readonly Place[]
  readonly at: Date
}

/** Part 2.4 and the e-mail form of the decisions: a signer without an account. */
export type Identity = {
  readonly provider: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly mobileNumber: string | null
  readonly issuingCountry: string | null
  readonly identityReference: string | null
}

/** A signer's turn on the documents, from the consent until their key has signed (ADR 0041). It is over at `until` unless released before. */
export type SigningTurn = {
  readonly releaseId: string
  readonly until: Date
  /** Where the key lies: at a provider (ADR 0046); null: in our own token. */
  readonly provider: string | null
  /** `logging-in`: at the provider, before there is a certificate to prepare anything for. */
  readonly state: "logging-in" | "preparing" | "offered" | "released"
  /** What will stand in the certificate. */
  readonly name: EstablishedName
}

export type Signature = {
  readonly id: string
  /** Where the signer is written to; null for one who is known by identity data alone. */
  readonly email: string | null
  /** For a signer without an account (part 2.4); null for an account holder, known by the e-mail. */
  readonly identity: Identity | null
  /** Who they are by a provider of identification; null for all others (decisions, "express QES"). */
  readonly identification: Identification | null
  /** A member of the business established the name (ADR 0090); null while none has. */
  readonly vouch: Vouch | null
  /** The group that this signer is a member of (decisions, "v3 groups"); null for a single person. */
  readonly groupId: string | null
  /** Part 2.2 `order`, `sequence`: smallest first; null when none was given. */
  readonly place: number | null
  /** Whether the signer is written to at all (decisions, "per signature"). */
  readonly notify: boolean
  readonly language: Language
  readonly state: SignatureState
  readonly consent: Consent | null
  /** Null where the service's own key signs, and before the signer has agreed. */
  readonly turn: SigningTurn | null
  readonly signedAt: Date | null
  readonly declineReason: string | null
  /** When the first mail was asked for; a later one says that it is their turn. */
  readonly invitedAt: Date | null
  readonly lastViewedAt: Date | null
  readonly remindedAt: Date | null
  /** Why a mail to the signer came back; null while none has. */
  readonly mailProblem: string | null
  /** What keeps a signature that was agreed to from being made just now; null where nothing does. */
  readonly waitingFor: Lack | null
  /** Asked to sign some of the documents only; one that is added later is not for them (decisions, "v3 create"). */
  readonly restricted: boolean
  readonly marks: readonly Mark[]
}

/** A group that is to sign, before its membership is frozen at initiate: then each member is a signature of its own. */
export type GroupEntry = {
  readonly id: string
  readonly groupId: string
  readonly place: number
  readonly notify: boolean
  readonly restricted: boolean
  /** As for a signature: a mark wanted on each of these documents. */
  readonly marks: readonly Mark[]
}

/** A document of the request: `id` is the uploaded one and stays, `newestId` is its newest version. */
export type RequestDocument = {
  readonly id: string
  readonly newestId: string
  /** The title of the uploaded document. */
  readonly name: string
  /** When the last time-stamp over the newest version is to be renewed; null while nobody has stamped it. */
  readonly renewAt: Date | null
}

/** Decisions, "attachments": what goes along unsigned. The bytes lie in the bucket. */
export type Attachment = {
  readonly id: string
  readonly filename: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** Decisions, "v3 observers": reads the request and its documents, outside the signing flow. */
export type Observer = {
  readonly id: string
  readonly of:
    | { readonly type: "USER"; readonly email: string }
    | {
        readonly type: "GROUP"
        readonly groupId: string
        /** The group's name, and the addresses of its members, as it has them now. */
        readonly name: string
        readonly members: readonly string[]
      }
  readonly invitedAt: Date
  readonly invitedBy: string
}

/** Of all who observe, those of groups too. */
export const addressesOf = (observers: readonly Observer[]): readonly string[] =>
  observers.flatMap(({ of }) => (of.type === "USER" ? [of.email] : of.members))

export type CallbackType = "success" | "update" | "error"
export type AttachOnSuccess = "SIGNED_DOCUMENT" | "SIGNATURE_PROTOCOL"

/** Decisions, "expires_at": a date, and the moment at which it passes in the region's time zone. */
export type Expiry = { readonly date: string; readonly passesAt: Date }

/** Part 2.1 `auto_delete_at`: the date of the retention policy, and the moment at which it begins. */
export type Retention = { readonly date: string; readonly beginsAt: Date }

/** What an update may change; all of it is there from the start (decisions, "update"). */
export type Terms = {
  readonly title: string
  readonly message: string | null
  readonly quality: Quality
  readonly legislation: Legislation | null
  readonly callbacks: Readonly<Partial<Record<CallbackType, string>>>
  readonly custom: string | null
  readonly attachOnSuccess: readonly AttachOnSuccess[]
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
  readonly ccEmailAddresses: readonly string[]
  readonly expiresAt: Expiry | null
}

export type SignatureRequest = Terms & {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly owner: string
  /** E-mail of a member of the business: shown as the sender (decisions, "creator"). */
  readonly creator: string | null
  readonly lifecycle: Lifecycle
  /** In order: each signer is written to when the turn comes (v1, v2). All at once: at the start (v3). */
  readonly inviting: "in-order" | "all-at-once"
  readonly documents: readonly RequestDocument[]
  readonly signatures: readonly Signature[]
  readonly groups: readonly GroupEntry[]
  readonly observers: readonly Observer[]
  readonly attachments: readonly Attachment[]
  readonly autoDeleteAt: Retention | null
  readonly withdrawMessage: string | null
  /** When the signers were told that the request expires soon. */
  readonly expiryWarnedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A request keeps at least one document (part 2.5, rule 5); its first one is its `document_id`. */
export function firstDocument(request: Pick<SignatureRequest, "documents">): RequestDocument {
  const [first] = request.documents
  if (first === undefined) throw new Error("A signature request without a document.")
  return first
}

/** Part 3.2: the status is a function of the lifecycle mark and the signatures, never set by hand. */
export function statusOf(request: Pick<SignatureRequest, "lifecycle" | "signatures">): Status {
  switch (request.lifecycle) {
    case "draft":
      return "DRAFT"
    case "failed":
      return "ERROR"
    case "expired":
      return "EXPIRED"
    case "withdrawn":
      return "WITHDRAWN"
    case "started":
      return statusOfSignatures(request.signatures)
  }
}

function statusOfSignatures(signatures: readonly Signature[]): Status {
  if (signatures.some((s) => s.state === "declined")) return "DECLINED"
  if (signatures.some((s) => s.state === "error")) return "ERROR"
  // A request without signers waits until somebody is added (part 3.2).
  if (signatures.length > 0 && signatures.every((s) => s.state === "signed")) return "SIGNED"
  return "OPEN"
}
