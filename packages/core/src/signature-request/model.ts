import type { Language } from "../language.ts"

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

/** One signature on one document. `versionId` is the document that the mark made; null until then. */
export type Mark = {
  readonly documentId: string
  readonly versionId: string | null
}

/** What the signer agreed to, and the name they typed (decisions, "consent"). */
export type Consent = {
  readonly name: string
  readonly version: string
  readonly language: Language
  readonly sha256: string
  /** The versions of the documents that lay before the person. */
  readonly shown: readonly string[]
  readonly at: Date
}

export type Signature = {
  readonly id: string
  readonly email: string
  /** Part 2.2 `order`, `sequence`: smallest first; null when none was given. */
  readonly place: number | null
  readonly language: Language
  readonly state: SignatureState
  readonly consent: Consent | null
  readonly signedAt: Date | null
  readonly declineReason: string | null
  readonly marks: readonly Mark[]
}

/** A document of the request: `id` is the uploaded one and stays, `newestId` is its newest version. */
export type RequestDocument = {
  readonly id: string
  readonly newestId: string
}

export type CallbackType = "success" | "update" | "error"

export type SignatureRequest = {
  readonly id: string
  readonly businessId: string
  readonly kind: Kind
  readonly ownerId: string
  readonly owner: string
  readonly title: string
  readonly message: string | null
  readonly lifecycle: Lifecycle
  /** In order: each signer is written to when the turn comes (v1, v2). All at once: at the start (v3). */
  readonly inviting: "in-order" | "all-at-once"
  readonly quality: Quality
  readonly legislation: Legislation | null
  readonly documents: readonly RequestDocument[]
  readonly signatures: readonly Signature[]
  readonly callbacks: Readonly<Partial<Record<CallbackType, string>>>
  readonly readAccess: readonly string[]
  readonly writeAccess: readonly string[]
  readonly ccEmailAddresses: readonly string[]
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
