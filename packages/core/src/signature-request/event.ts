import type { IdentificationEvent } from "../identification/machine.ts"
import type { Language } from "../language.ts"
import type { Way } from "../login/signer.ts"
import type { CodePurpose } from "../one-time-code/model.ts"
import type { EstablishedName, FactorKind, Vouch } from "../release/model.ts"
import type { RemoteProblem } from "../remote-key/model.ts"
import type { MarkCertificate } from "./intent.ts"
import type {
  Attachment,
  CallbackType,
  Consent,
  GroupEntry,
  Lack,
  Observer,
  RequestDocument,
  Signature,
  SignatureRequest,
  Terms,
} from "./model.ts"

type OfSignature = { readonly signatureId: string }
/** The address that the person called from; absent where nobody called. */
type Called = { readonly ip?: string }

/** Everything that can happen to a request, each at its moment. */
export type Event = { readonly at: Date } & (
  | Preparing
  | Signing
  | Ending
  /** A person came through the door, or by the address of a preview, which others know too; a mail came back; the end is near. */
  | ({ readonly type: "open"; readonly way?: Way } & OfSignature & Called)
  | ({ readonly type: "mail-bounced"; readonly problem: string } & OfSignature)
  | { readonly type: "warn-of-expiry" }
  /** Decisions, "remind": those named, or everybody whose turn it is. */
  | { readonly type: "remind"; readonly signatureIds: readonly string[] | null }
)

/** What those who may write do. */
type Preparing =
  /** The request leaves DRAFT, or is born OPEN (v1, v2). The members of its groups are frozen here. */
  | { readonly type: "start"; readonly members: readonly Signature[] }
  | { readonly type: "update"; readonly changes: Partial<Terms> }
  | { readonly type: "add-signer"; readonly signature: Signature }
  | { readonly type: "add-group"; readonly entry: GroupEntry; readonly members: readonly Signature[] }
  | ({ readonly type: "remove-signer" } & OfSignature)
  | {
      readonly type: "replace-signers"
      readonly signatures: readonly Signature[]
      readonly groups: readonly GroupEntry[]
      /** Of the groups, for a request that has started. */
      readonly members: readonly Signature[]
    }
  | {
      readonly type: "add-document"
      readonly document: RequestDocument
      /** Of its bytes. */
      readonly sha256?: string
    }
  | { readonly type: "remove-document"; readonly documentId: string }
  | { readonly type: "add-observer"; readonly observer: Observer }
  | { readonly type: "remove-observer"; readonly observerId: string }
  | { readonly type: "attach"; readonly attachment: Attachment }
  | { readonly type: "detach"; readonly attachmentId: string }

/** What signers do, and the workers for them. */
type Signing =
  /** Decisions, "express QES": a step of the identification of a signer. */
  | ({ readonly type: "identify"; readonly step: IdentificationEvent } & OfSignature)
  /** A member of the business vouches for the signer's name. */
  | ({ readonly type: "vouch"; readonly vouch: Vouch } & OfSignature)
  /** The signer read, agreed and pressed "sign". */
  | ({
      readonly type: "consent"
      readonly consent: Consent
      readonly way?: Way
      /** Which pages the signer was served (served-pages.ts). */
      readonly served?: string
    } & OfSignature &
      Called)
  | Releasing
  /** A mark was made on one document: `onto` is the version it was made on, `versionId` the one it made. */
  | ({
      readonly type: "mark"
      readonly documentId: string
      readonly onto: string
      readonly versionId: string
      /** Of the bytes of that version. */
      readonly sha256?: string
      readonly certificate?: MarkCertificate
      /** When the time-stamp over this version is to be renewed, where it has one. */
      readonly renewAt?: Date | null
    } & OfSignature)
  | ({ readonly type: "decline"; readonly reason: string | null } & OfSignature & Called)
  /** A signature cannot be made just now; it is tried again. */
  | ({ readonly type: "wait"; readonly lack: Lack } & OfSignature)
  /** A signature can never be made (decisions, "status_overall"). */
  | ({ readonly type: "fail" } & OfSignature)

/** What becomes of a signer's own key, from the press on "sign" until it may be used (ADR 0041). */
type Releasing = { readonly releaseId: string } & OfSignature &
  Called &
  (
    | {
        readonly type: "take-turn"
        readonly consent: Consent
        readonly until: Date
        readonly name: EstablishedName
        readonly provider: string | null
        readonly way?: Way
        readonly served?: string
      }
    /** Whoever agreed is known to the provider, and back. */
    | { readonly type: "log-in" }
    /** `name`: as the certificate of a provider has it. */
    | { readonly type: "offer-release"; readonly certificateSha256: string; readonly name?: EstablishedName }
    /** `binding` is what the factor was bound to. */
    | { readonly type: "release"; readonly factor: FactorKind | "provider"; readonly binding: string }
    /** All signatures of the provider are on record. */
    | { readonly type: "keep-values" }
    | {
        readonly type: "end-turn"
        readonly by: "signer" | "time" | "provider"
        readonly problem?: RemoteProblem
      }
  )

type Ending =
  /** Decisions, "archive renewal": the same document under a new time-stamp. */
  | {
      readonly type: "renew"
      readonly documentId: string
      readonly onto: string
      readonly versionId: string
      readonly sha256?: string
      readonly renewAt: Date | null
    }
  /** `expires_at` has passed. */
  | { readonly type: "expire" }
  | { readonly type: "withdraw"; readonly message: string | null }

export type EventOf<T extends Event["type"]> = Extract<Event, { readonly type: T }>

export type Letter = "completed" | "declined" | "withdrawn" | "expired" | "expiring-soon" | "observer-added"

/** Whom a letter goes to; without a signature it is somebody who only follows. */
export type Recipient = {
  readonly email: string
  readonly language: Language
  readonly signatureId: string | null
}

/** What must follow from a change. Effects are data; they become jobs in the transaction of the change. */
export type Effect =
  | ({ readonly type: "invite" | "your-turn" | "remind" } & OfSignature)
  | { readonly type: "tell"; readonly letter: Letter; readonly to: Recipient }
  | ({ readonly type: "sign"; readonly documentId: string } & OfSignature)
  | ({ readonly type: "prepare-release" | "sign-remotely"; readonly releaseId: string } & OfSignature)
  | ({
      readonly type: "send-code"
      readonly number: number
      readonly purpose: CodePurpose
    } & OfSignature)
  | ({ readonly type: "ask-provider" } & OfSignature)
  | { readonly type: "call-back"; readonly which: CallbackType }

export type Step = { readonly request: SignatureRequest; readonly effects: readonly Effect[] }
