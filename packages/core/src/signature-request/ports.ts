import type { Caller } from "../access/caller.ts"
import type { IssuedCertificate } from "../certificate/ports.ts"
import type { Held } from "../document/ports.ts"
import type { Placing } from "../document/visual.ts"
import type { Evidence, ToldStory } from "../evidence/model.ts"
import type { Effect } from "./event.ts"
import type { Intent, PreparedMark } from "./intent.ts"
import type { KeptLook } from "./look.ts"
import type { Kind, Look, SignatureRequest } from "./model.ts"
import type { ListRequests, RequestPage } from "./new-request.ts"

/** What makes a signature, and the rows of requests. */

export type PrepareMark = (held: Held, options: PrepareOptions) => Promise<PreparedMark>
export type PrepareOptions = Placing & {
  readonly kind: Kind
  readonly signerName: string
  /** What is said where the mark is seen, and what the signer chose to be shown with it. */
  readonly lines: readonly string[]
  readonly look: ShownLook
  /** Of the signer, whose own key will sign, or of reports; null for the service's. */
  readonly own: Pick<OwnCertificate, "certificate" | "chain" | "algorithm"> | null
  /** Said in the signature itself. Nobody who signs may give one: by it, reports of ours are told from what people sign. */
  readonly reason?: string
  readonly signedAt: Date
}
/** DER, its issuers from the nearest on, its SHA-256 in hex, and the release that it is prepared for. */
export type OwnCertificate = IssuedCertificate & {
  readonly sha256: string
  readonly releaseId: string
  /** What the holder of the key makes; absent: what the key makes best. */
  readonly algorithm?: string
}
export type ShownLook = Extract<Look, { type: "plain" | "typed" }> | KeptLook["shown"]
/** A time-stamp over the value, checked, from an authority that can be relied upon (EN 319 142-1, B-T); null: none is wanted. */
export type StampValue = (prepared: PreparedMark, value: Uint8Array) => Promise<Uint8Array | null>
/** The bytes to append to the document that was prepared. Pure, and the same for the same arguments. */
export type FinishMark = (prepared: PreparedMark, value: Uint8Array, stamp: Uint8Array | null) => Uint8Array
/**
 * What to append behind the mark, so that these signatures can be checked years later: certificates and revocation answers
 * (B-LT), and a time-stamp over all of it (B-LTA).
 */
export type RaiseMarks = (
  held: Held,
  mark: Uint8Array,
  raising: { readonly kind: Kind; readonly to: "B-LT" | "B-LTA"; readonly fields: readonly string[] },
) => Promise<{ readonly tail: Uint8Array; readonly archiveEndsAt: Date | null }>

/** SHA-256 of the certificate that signs for that kind today, in hex. */
export type CertificateOf = (kind: Kind) => Promise<string>

/**
 * Whether a value that is kept can never be finished, because its certificate was revoked before anybody stamped it. Then the next
 * certificate makes another one.
 */
export type IsInVain = (kind: Kind, intent: Intent) => Promise<boolean>

export type SigningKey =
  | { readonly holder: "service"; readonly kind: Kind }
  | { readonly holder: "signer" | "report"; readonly kind: Kind; readonly keyLabel: string }

/** A raw signature, proved against the certificate that was prepared. */
export type SignBytes = (key: SigningKey, prepared: PreparedMark) => Promise<Uint8Array>

export type RequestsReading = {
  readonly findRequest: (id: string) => Promise<SignatureRequest | null>
  /** In the order asked for; those that are not there are left out. */
  readonly findRequests: (ids: readonly string[]) => Promise<readonly SignatureRequest[]>
  readonly listRequests: (caller: Caller, asked: ListRequests) => Promise<RequestPage>
  /** What happened to a request that was just found; null where its key was destroyed. */
  readonly findStory: (id: string) => Promise<ToldStory | null>
  readonly findIntent: (signatureId: string, documentId: string, baseId: string) => Promise<Intent | null>
  /** The drawing or the picture of a signature that is not made yet. */
  readonly findLook: (signatureId: string) => Promise<KeptLook | null>
}

/** In a transaction a request is only ever read under its lock; without it, its parts could be of two moments. */
export type RequestsTx = {
  readonly insertRequest: (request: SignatureRequest) => Promise<void>
  /** Reads the request and holds it until the transaction ends; null when there is none. */
  readonly lockRequest: (id: string) => Promise<SignatureRequest | null>
  /** `before` is what was read under the lock: only what differs from it is written. */
  readonly saveRequest: (request: SignatureRequest, before: SignatureRequest) => Promise<void>
  /** All its rows go; its documents, where its owner may write them, are marked for the sweep. */
  readonly removeRequest: (request: SignatureRequest, at: Date) => Promise<void>
  readonly appendEvidence: (requestId: string, evidence: readonly Evidence[]) => Promise<void>
  readonly enqueue: (request: SignatureRequest, effects: readonly Effect[]) => Promise<void>
  /**
   * Keeps the intent that is there already when two workers race, unless its certificate is of the past. With a value only the one
   * of the version named by `insteadOf` gives way.
   */
  readonly keepIntent: (intent: Intent, insteadOf?: string) => Promise<Intent>
  /** The same for the raw signature value: the first one stays. */
  readonly keepValue: (intent: Intent, value: Uint8Array) => Promise<Intent>
  /** And for the time-stamp over the value. */
  readonly keepStamp: (intent: Intent, stamp: Uint8Array) => Promise<Intent>
  readonly findLook: RequestsReading["findLook"]
  /** One for a signature: it takes the place of an earlier one. */
  readonly keepLook: (look: KeptLook, at: Date) => Promise<void>
  readonly removeLooks: (signatureIds: readonly string[]) => Promise<void>
}
