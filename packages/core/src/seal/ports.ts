import type { Caller } from "../access/caller.ts"
import type { IssueCertificate } from "../certificate/ports.ts"
import type { Held } from "../document/ports.ts"
import type { Placing } from "../document/visual.ts"
import type { SealJob } from "../jobs.ts"
import type { PreparedMark } from "../signature-request/intent.ts"
import type { Kind, Position } from "../signature-request/model.ts"
import type { RaiseMarks } from "../signature-request/ports.ts"
import type {
  IssuedSeal,
  Seal,
  SealBatch,
  SealCertificate,
  SealedDocument,
  SealIntent,
  Sealing,
  SealingFault,
  SealKey,
  SealLack,
  TitledSealing,
  UsableCertificate,
} from "./model.ts"

/** What makes a seal, and the rows of seals. */

export type PrepareSeal = (held: Held, by: UsableCertificate, options: SealOptions) => Promise<PreparedMark>
export type SealOptions = Placing & {
  readonly signerName: string
  readonly lines: readonly string[]
  /** PNG, cleaned; null: words alone. */
  readonly image: Uint8Array | null
  readonly signedAt: Date
}
/** A raw signature by the seal's own key, proved against the certificate that was prepared. */
export type SignSeal = (kind: Kind, keyLabel: string, prepared: PreparedMark) => Promise<Uint8Array>
/** As `RaiseMarks`, for a seal. Of its issuers those are anchors that are roots: a seal that was installed has its own. */
export type RaiseSeal = (
  kind: Kind,
  held: Held,
  mark: Uint8Array,
  issuers: readonly Uint8Array[],
  field: string,
) => ReturnType<RaiseMarks>

export type NewSeal = Omit<Seal, "certificates" | "imageId" | "endedAt">
export type NewSealing = Omit<Sealing, "state" | "waitingFor" | "fault">
export type NewBatch = Pick<SealBatch, "id" | "businessId" | "kind" | "ownerId" | "sealId" | "createdAt">

export type SealsReading = {
  /** Those of the kind that have not ended, the oldest first. */
  readonly listSeals: (kind: Kind) => Promise<readonly Seal[]>
  readonly findSeal: (id: string) => Promise<Seal | null>
  readonly findSealing: (id: string) => Promise<Sealing | null>
  readonly findSealIntent: (sealing: Sealing) => Promise<SealIntent | null>
  /** PNG. */
  readonly findSealImage: (id: string) => Promise<Uint8Array | null>
  readonly findBatch: (id: string) => Promise<SealBatch | null>
  /** Those that the caller ordered, the newest first. */
  readonly listBatches: (caller: Caller, limit: number) => Promise<readonly SealBatch[]>
  readonly findSealed: (documentId: string) => Promise<SealedDocument | null>
  /** In the order in which the documents were named. */
  readonly sealingsOf: (batchId: string) => Promise<readonly TitledSealing[]>
}

export type SealsTx = {
  readonly listSeals: SealsReading["listSeals"]
  readonly findSeal: SealsReading["findSeal"]
  /** Where somebody else was first with this name, theirs stands; answers the one that stands. */
  readonly insertSeal: (seal: NewSeal) => Promise<Seal>
  readonly saveSealImage: (sealId: string, image: KeptImage | null, at: Date) => Promise<void>
  readonly keepOrderedImage: (businessId: string, image: KeptImage, at: Date) => Promise<void>
  readonly insertBatch: (batch: NewBatch) => Promise<void>
  readonly insertSealings: (sealings: readonly NewSealing[]) => Promise<void>
  /** Reads it and holds it until the transaction ends. */
  readonly lockSealing: (id: string) => Promise<Sealing | null>
  /** An intent that is there already stays, unless it has no value and its certificate is of the past. */
  readonly keepSealIntent: (sealing: Sealing, prepared: PreparedMark) => Promise<SealIntent>
  /** The first value stays, and so does the first time-stamp. */
  readonly keepSealValue: (sealing: Sealing, value: Uint8Array) => Promise<SealIntent>
  readonly keepSealStamp: (sealing: Sealing, stamp: Uint8Array) => Promise<SealIntent>
  readonly noteSealWaits: (id: string, lack: SealLack, at: Date) => Promise<void>
  readonly insertSealed: (sealed: SealedDocument) => Promise<void>
  /** Reads it and holds it until the transaction ends. */
  readonly lockSealed: (documentId: string) => Promise<SealedDocument | null>
  /** Nobody renews it any more: a later version has taken its place. */
  readonly succeedSealed: (documentId: string) => Promise<void>
  /** The versions that renewals have made of it. */
  readonly renewedFrom: (documentId: string) => Promise<readonly string[]>
  /** Whether something is there that it sealed, or that renewals have made of it. */
  readonly isSealLeft: (sealed: SealedDocument) => Promise<boolean>
  /** Its intent goes with it, and the picture that came with the order alone. */
  readonly endSealing: (sealing: Sealing, end: SealingEnd, at: Date) => Promise<void>
  /** Those that have not ended. */
  readonly countRunningBatches: (kind: Kind) => Promise<number>
  /** Those of its orders that wait still. */
  readonly cancelBatch: (batchId: string, at: Date) => Promise<void>
  /** Where none of its orders waits any more; the picture that came with it goes. */
  readonly endBatch: (batchId: string, at: Date) => Promise<void>
  /** What demo keys order waits behind all that production has ordered in the same queue. */
  readonly enqueueSealing: (job: SealJob, kind: Kind) => Promise<void>
}

export type KeptImage = { readonly id: string; readonly png: Uint8Array }
export type SealingEnd =
  | { readonly state: "done" }
  | { readonly state: "cancelled" }
  | { readonly state: "failed"; readonly fault: SealingFault }

/** How a seal comes by a key and a certificate: a worker does it, and the operator's command line. */
export type CertifyingParts = {
  /** The next generation, or the one whose making was cut off; on record before its key is made. */
  readonly beginCertificate: (seal: Seal, begun: BegunCertificate) => Promise<SealCertificate>
  /** The first certificate stands. */
  readonly completeCertificate: (id: string, issued: IssuedSeal) => Promise<void>
  /** SubjectPublicKeyInfo of the key under this label, which is made where there is none. */
  readonly sealKey: (kind: Kind, keyLabel: string, key: SealKey) => Promise<Uint8Array>
  readonly issueCertificate: IssueCertificate
  readonly validityOf: (certificate: Uint8Array) => Pick<IssuedSeal, "notBefore" | "notAfter">
  readonly newId: () => string
}
export type BegunCertificate = Pick<SealCertificate, "id" | "keyLabel"> & { readonly at: Date }

/** What an order says of its looks (part 2.6). */
export type OrderedVisual = {
  readonly position: Position | null
  /** Cleaned already: a PNG of our own making. */
  readonly image: Uint8Array | null
}
