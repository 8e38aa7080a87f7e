import type { ListDocuments } from "../document/model.ts"
import type { DocumentSource } from "../document/take-in.ts"
import type { Language } from "../language.ts"
import type {
  CallbackType,
  Identity,
  Quality,
  SignatureRequest,
  SignatureState,
  Status,
  Terms,
  VisualSignature,
} from "./model.ts"

/** Which documents somebody is to sign, and where: all of the request's, or some of them (decisions, "v3 create"). */
export type Wanted =
  | { readonly type: "all"; readonly visual: VisualSignature | null }
  | { readonly type: "some"; readonly marks: readonly WantedMark[] }
export type WantedMark = { readonly documentId: string; readonly visual: VisualSignature | null }

export type NewSigner = {
  readonly type: "person"
  readonly email: string | null
  /** Together with an e-mail: for the case that no account has this address (part 2.2). */
  readonly identity: Identity | null
  /** Decisions, "signer_identity_data": `identification_require_evidence`. */
  readonly requireEvidence?: boolean
  readonly place: number | null
  readonly notify: boolean
  readonly language: Language
  readonly wanted: Wanted
}

export type NewGroup = {
  readonly type: "group"
  readonly groupId: string
  /** Null: after those before it in the array (decisions, "v3 groups"). */
  readonly place: number | null
  readonly notify: boolean
  readonly wanted: Wanted
}

export type NewEntry = NewSigner | NewGroup

type Asked = Omit<Terms, "quality" | "expiresAt"> & {
  /** Null: the business's own. */
  readonly quality: Quality | null
  /** A date; null for none. */
  readonly expiresOn: string | null
}

export type CreateRequest = Asked & {
  readonly document: DocumentSource | { readonly type: "documents"; readonly ids: readonly string[] }
  readonly entries: readonly NewEntry[]
  readonly creator: string | null
  /** v1 and v2 are OPEN at once, v3 begins as DRAFT (part 3.1). */
  readonly startAs: "started" | "draft"
  readonly inviting: SignatureRequest["inviting"]
}

export type UpdateRequest = {
  readonly id: string
  readonly changes: Partial<
    Omit<Asked, "quality" | "callbacks"> & {
      readonly quality: Quality
      /** Those that are named; null takes one away. */
      readonly callbacks: Readonly<Partial<Record<CallbackType, string | null>>>
    }
  >
  /** All of them anew. */
  readonly entries?: readonly NewEntry[]
  /** Whether the request is still the one that the caller has seen (If-Match). */
  readonly mustBe?: (request: SignatureRequest) => boolean
}

/** Paged and searched as documents are, and narrowed. */
export type ListRequests = ListDocuments & {
  readonly status: Status | null
  readonly signatureState: SignatureState | null
  readonly signerEmail: string | null
}

export type RequestPage = {
  /** Newest first. */
  readonly requests: readonly SignatureRequest[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}
