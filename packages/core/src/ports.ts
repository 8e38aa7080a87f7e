import type { Caller } from "./access/caller.ts"
import type { ActivitiesBetween, ActivityPage } from "./activity/list.ts"
import type { Logo } from "./branding/model.ts"
import type { BusinessSettings, Feature } from "./business/model.ts"
import type { BusinessReading, KeysTx, MembersTx } from "./business/ports.ts"
import type { AgreedSettings, ChangedSettings } from "./business/settings.ts"
import type { CapturedMailWhole } from "./captured-mail/model.ts"
import type { ListMails, MailPage, SeenMails } from "./captured-mail/read.ts"
import type { Callback } from "./delivery/model.ts"
import type {
  Document,
  DocumentPage,
  Inspection,
  ListDocuments,
  SealedBlob,
  Watermark,
} from "./document/model.ts"
import type { Placing } from "./document/visual.ts"
import type { Evidence } from "./evidence/model.ts"
import type { Group, GroupPage } from "./group/model.ts"
import type { JournalEntry, JournalPage, JournalPlace } from "./journal/model.ts"
import type { Language } from "./language.ts"
import type { SignerSession } from "./login/signer.ts"
import type { Effect } from "./signature-request/event.ts"
import type { Intent, PreparedMark } from "./signature-request/intent.ts"
import type { KeptLook } from "./signature-request/look.ts"
import type { Attachment, Kind, Look, SignatureRequest, Status } from "./signature-request/model.ts"
import type { ListRequests, RequestPage } from "./signature-request/new-request.ts"
import type { Template } from "./template/model.ts"
import type { UsedWithin } from "./usage/model.ts"
import type { DeliveryPage, ListDeliveries, WebhookDelivery } from "./webhook/deliveries.ts"
import type { Webhook, WhichEvents } from "./webhook/model.ts"

/** What core asks of the world, as function types. `apps/server/src/parts.ts` says who answers. */

export type Bytes = AsyncIterable<Uint8Array>

/** Part 5.2: the key that was shown at login, if it is known, alive and of that user. */
export type FindKey = (username: string, keyHash: Uint8Array, now: Date) => Promise<Caller | null>

/** An attachment with the place of its bytes, which the request itself does not know. */
export type StoredAttachment = Attachment & {
  readonly businessId: string
  readonly requestId: string
  readonly blob: SealedBlob
  readonly createdAt: Date
}

/** A document's bytes at hand on this machine, in a file that only its own key opens; no plain byte is on the disk. */
export type Held = {
  readonly businessId: string
  /** Of the object in the bucket that these bytes are, or will be. */
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly file: {
    readonly path: string
    readonly key: Uint8Array
    readonly context: string
    readonly sizeBytes: number
  }
  /** Lets go of the file; may be called twice. */
  readonly release: () => Promise<void>
}

/** Hashes and seals the bytes, with a new key, while they arrive. */
export type HoldBytes = (businessId: string, bytes: Bytes) => Promise<Held>
/** Brings the sealed bytes of a stored document to hand. */
export type HoldDocument = (document: Document) => Promise<Held>
export type ReadHeld = (held: Held) => Bytes
/** Puts what is held into the bucket. Nobody owns the object until a document's row does. */
export type KeepHeld = (held: Held) => Promise<SealedBlob>
/** No row will own the object: it may be swept at once. */
export type Abandon = (blob: SealedBlob) => Promise<void>
/** The bytes from `start` up to `end`, all of them unless a range is given. */
export type ReadContent = (stored: StoredBytes, range?: ByteRange) => Bytes
/** Of a document or an attachment. */
export type StoredBytes = Pick<Document, "businessId" | "sizeBytes" | "blob">
export type ByteRange = { readonly start: number; readonly end: number }

/** Every look into a PDF happens in a limited child process ("PDF bytes are dangerous"). */
export type InspectPdf = (held: Held) => Promise<Inspection>
/** The bytes to append to the document, with what changes them and nothing else. */
export type WatermarkPdf = (held: Held, watermark: Watermark) => Promise<Uint8Array>
/** Refuses what holds malware; where the scanner does not answer, nothing is clean. */
export type ScanBytes = (held: Held) => Promise<void>
export type PrepareMark = (held: Held, options: PrepareOptions) => Promise<PreparedMark>
export type PrepareOptions = Placing & {
  readonly kind: Kind
  readonly signerName: string
  /** What is said where the mark is seen, and what the signer chose to be shown with it. */
  readonly lines: readonly string[]
  readonly look: ShownLook
  readonly signedAt: Date
}
export type ShownLook = Extract<Look, { type: "plain" | "typed" }> | KeptLook["shown"]
/** The bytes to append to the document that was prepared. Pure, and the same for the same two arguments. */
export type FinishMark = (prepared: PreparedMark, value: Uint8Array) => Uint8Array

/** SHA-256 of the certificate that signs for that kind today, in hex. */
export type CertificateOf = (kind: Kind) => string

/** A raw signature by the service's own key of that kind, proved against the certificate that was prepared. */
export type SignBytes = (kind: Kind, prepared: PreparedMark) => Promise<Uint8Array>

/** Downloads a `file_url` through the guarded client; the bytes come while they are read. */
export type FetchFile = (url: string, maxBytes: number) => Promise<{ contentType: string; bytes: Bytes }>

/** Runs in one transaction, in the name of one business; a thrown error rolls back. */
export type Transact = <T>(businessId: string, work: (tx: Tx) => Promise<T>) => Promise<T>

/** Reads in one snapshot: what it sees belongs together, whatever others change meanwhile. */
export type Read = <T>(businessId: string, work: (reading: Reading) => Promise<T>) => Promise<T>

export type Reading = BusinessReading & {
  readonly findDocument: (id: string) => Promise<Document | null>
  /** In the order asked for; those that are not there are left out. */
  readonly findDocuments: (ids: readonly string[]) => Promise<readonly Document[]>
  readonly findRequest: (id: string) => Promise<SignatureRequest | null>
  /** In the order asked for; those that are not there are left out. */
  readonly findRequests: (ids: readonly string[]) => Promise<readonly SignatureRequest[]>
  readonly listRequests: (caller: Caller, asked: ListRequests) => Promise<RequestPage>
  readonly findIntent: (signatureId: string, documentId: string, baseId: string) => Promise<Intent | null>
  readonly listDocuments: (caller: Caller, asked: ListDocuments) => Promise<DocumentPage>
  readonly settings: () => Promise<BusinessSettings>
  /** All of it, also what no request depends on. */
  readonly agreedSettings: () => Promise<AgreedSettings>
  readonly findLogo: () => Promise<Logo | null>
  /** From the first of these days to the last, which both count. */
  readonly usageByDay: (from: string, to: string) => Promise<readonly UsedWithin[]>
  readonly usageByMonth: (from: string, to: string) => Promise<readonly UsedWithin[]>
  readonly findTemplate: (id: string) => Promise<Template | null>
  /** By name. */
  readonly listTemplates: (kind: Kind) => Promise<readonly Template[]>
  /** Whether a template of that kind has the document. */
  readonly isInTemplate: (documentId: string, kind: Kind) => Promise<boolean>
  /** In the order asked for; those that are not there are left out. */
  readonly findGroups: (ids: readonly string[]) => Promise<readonly Group[]>
  /** Of the kind of the caller's key. */
  readonly listGroups: (caller: Caller, asked: ListDocuments) => Promise<GroupPage>
  /** Whether the caller may read a request that the document is one of, in any of its versions. */
  readonly readsRequestOf: (caller: Caller, documentId: string) => Promise<boolean>
  /** The e-mail address of a member of the business, by the id of the account. */
  readonly memberEmail: (accountId: string) => Promise<string | null>
  readonly findAttachment: (requestId: string, id: string) => Promise<StoredAttachment | null>
  /** Whether a verified person has this address, in whichever business; letters count the same in both cases. */
  readonly isAccount: (email: string) => Promise<boolean>
  /** Whether that person is a member of this business. */
  readonly isMember: (email: string) => Promise<boolean>
  /** Whether the member who is this user is one of its owners or admins (decisions, "roles"). */
  readonly isAdministrator: (userId: string) => Promise<boolean>
  /** Whether there is such an API user of this business. */
  readonly isUser: (username: string) => Promise<boolean>
  /** Signatures that were made on requests that the caller may read. */
  readonly listActivities: (caller: Caller, asked: ActivitiesBetween) => Promise<ActivityPage>
  /** In the order in which they were owed. */
  readonly callbacksOf: (requestId: string) => Promise<readonly Callback[]>
  /** Of the kind of the caller's key, as far as the caller may read them. */
  readonly eventsAfter: (caller: Caller, after: JournalPlace | null, pageSize: number) => Promise<JournalPage>
  /** The drawing or the picture of a signature that is not made yet. */
  readonly findLook: (signatureId: string) => Promise<KeptLook | null>
  readonly findCode: (signatureId: string) => Promise<SignerCode | null>
  readonly findWebhook: (id: string) => Promise<Webhook | null>
  /** The caller's own. */
  readonly listWebhooks: (caller: Caller) => Promise<readonly Webhook[]>
  /** Copies of mails about demo requests. */
  readonly listMails: (caller: Caller, seen: SeenMails, asked: ListMails) => Promise<MailPage>
  readonly findMail: (caller: Caller, seen: SeenMails, id: string) => Promise<CapturedMailWhole | null>
  /** Of one webhook, the newest first. */
  readonly listDeliveries: (webhookId: string, asked: ListDeliveries) => Promise<DeliveryPage>
}

/** By which of the three addresses a session was opened. */
export type CountedWay = Exclude<SignerSession["way"], "code">

export type NewSession = Pick<SignerSession, "idHash" | "way" | "arrival" | "accountSessionId">

/** The code by which a signer proves the e-mail address: one for a signature at a time. */
export type SignerCode = {
  readonly signatureId: string
  /** The session that asked for it; no other can use it. */
  readonly sessionHash: Uint8Array
  readonly number: number
  /** Null until it is made. */
  readonly codeHash: Uint8Array | null
  readonly askedAt: Date
  readonly attemptsLeft: number
  /** All askings of the last hour. */
  readonly asked: readonly Date[]
  /** Wrong codes, ever. */
  readonly wrong: number
}
export type Counted = "code wrong" | "code sent" | "code sent from network"
/** Six digits that nobody can foretell. */
export type NewCode = () => string
/** Keyed, and bound to the signature, the session and the number of the asking. */
export type HashCode = (of: SignerCode, code: string) => Uint8Array

export type RequestWithDocument = {
  readonly id: string
  readonly status: Status
  readonly documentCount: number
}

/** One row of the audit log of the business. */
export type Audited = {
  readonly at: Date
  /** The e-mail address of the person who acted; null where only the user of the shell is known. */
  readonly by: string | null
  readonly act: string
  /** What was acted on: its kind and its id or name. */
  readonly target: string
  /** What changed, as far as it may be read by whoever reads the log: never a secret. */
  readonly before?: object
  readonly after?: object
}

/** In a transaction a request is only ever read under its lock; without it, its parts could be of two moments. */
export type Tx = MembersTx &
  KeysTx & {
    /** From here on the row owns the object; fails when the object was swept meanwhile. */
    readonly insertDocument: (document: Document) => Promise<void>
    /** Nobody removes it before the transaction ends. */
    readonly findDocument: Reading["findDocument"]
    /** Reads the document and holds it until the transaction ends; null when there is none. */
    readonly lockDocument: (id: string) => Promise<Document | null>
    readonly saveAccess: (document: Document) => Promise<void>
    /** The row goes, and the key with it; the object is swept. */
    readonly removeDocument: (document: Document, at: Date) => Promise<void>
    /** The requests of which this document is one, in any of its versions. */
    readonly requestsWith: (documentId: string) => Promise<readonly RequestWithDocument[]>
    readonly insertRequest: (request: SignatureRequest) => Promise<void>
    /** Reads the request and holds it until the transaction ends; null when there is none. */
    readonly lockRequest: (id: string) => Promise<SignatureRequest | null>
    /** `before` is what was read under the lock: only what differs from it is written. */
    readonly saveRequest: (request: SignatureRequest, before: SignatureRequest) => Promise<void>
    /** All its rows go; its documents, where its owner may write them, are marked for the sweep. */
    readonly removeRequest: (request: SignatureRequest, at: Date) => Promise<void>
    readonly appendEvidence: (requestId: string, evidence: readonly Evidence[]) => Promise<void>
    /** What is appended is owed to the webhooks that want it, in the same transaction. */
    readonly appendJournal: (entries: readonly JournalEntry[]) => Promise<void>
    readonly enqueue: (request: SignatureRequest, effects: readonly Effect[]) => Promise<void>
    /** Keeps the intent that is there already when two workers race, unless its certificate is of the past. */
    readonly keepIntent: (intent: Intent) => Promise<Intent>
    /** The same for the raw signature value: the first one stays. */
    readonly keepValue: (intent: Intent, value: Uint8Array) => Promise<Intent>
    readonly findLook: Reading["findLook"]
    /** One for a signature: it takes the place of an earlier one. */
    readonly keepLook: (look: KeptLook, at: Date) => Promise<void>
    readonly removeLooks: (signatureIds: readonly string[]) => Promise<void>
    readonly insertLink: (signatureId: string, tokenHash: Uint8Array, at: Date) => Promise<void>
    readonly insertSession: (signatureId: string, session: NewSession, at: Date) => Promise<void>
    /** Those that began since then, by the mailed link or by whatever else. */
    readonly countSessions: (signatureId: string, by: CountedWay, since: Date) => Promise<number>
    /** The preview has become more than that: its signer had the code. */
    readonly proveSession: (idHash: Uint8Array) => Promise<void>
    /** The language of a session, where one was asked for or chosen. */
    readonly sessionLanguage: (idHash: Uint8Array) => Promise<Language | null>
    /** Reads the code and holds it until the transaction ends; null when none was asked for. */
    readonly lockCode: (signatureId: string) => Promise<SignerCode | null>
    readonly saveCode: (code: SignerCode) => Promise<void>
    /** How often it was done on that day, this time too, whoever did it; counted one after the other. */
    readonly addToday: (what: Counted, key: string, at: Date, more: 1 | -1) => Promise<number>
    readonly settings: Reading["settings"]
    /** Holds the business until the transaction ends, so that what was before is what is changed; requests go on meanwhile. */
    readonly lockSettings: () => Promise<AgreedSettings>
    readonly saveSettings: (changes: ChangedSettings) => Promise<void>
    /** REG-02; an operator does. */
    readonly setFeature: (feature: Feature, on: boolean) => Promise<void>
    /** One for a business: it takes the place of an earlier one. */
    readonly keepLogo: (logo: Logo, at: Date) => Promise<void>
    readonly removeLogo: () => Promise<void>
    /** Reads the template and holds it until the transaction ends; null when there is none. */
    readonly lockTemplate: (id: string) => Promise<Template | null>
    /** Of the whole business; two that are made at once are counted one after the other. */
    readonly countTemplates: () => Promise<number>
    readonly insertTemplate: (template: Template) => Promise<void>
    readonly saveTemplate: (template: Template) => Promise<void>
    readonly removeTemplate: (id: string) => Promise<void>
    readonly isInTemplate: Reading["isInTemplate"]
    /** In the transaction of the act: what was done is on record, and what is on record was done. */
    readonly appendAudit: (entry: Audited) => Promise<void>
    /** Nobody removes or changes them before the transaction ends. */
    readonly findGroups: Reading["findGroups"]
    readonly memberEmail: Reading["memberEmail"]
    /** Reads the group and holds it until the transaction ends; null when there is none. */
    readonly lockGroup: (id: string) => Promise<Group | null>
    readonly insertGroup: (group: Group) => Promise<void>
    readonly saveGroup: (group: Group) => Promise<void>
    /** Whether a draft, or an observer, still needs it. */
    readonly isGroupNeeded: (id: string) => Promise<boolean>
    /** Whether a request that the caller may not change is observed by the group, or asks it to sign. */
    readonly isGroupOfOthers: (caller: Caller, id: string) => Promise<boolean>
    readonly removeGroup: (id: string) => Promise<void>
    /** From here on the row owns the object; fails when the object was swept meanwhile. */
    readonly insertAttachment: (attachment: StoredAttachment) => Promise<void>
    /** The rows go, and their keys with them; the objects are swept. All of a request unless one is named. */
    readonly removeAttachments: (requestId: string, at: Date, id?: string) => Promise<void>
    readonly isAccount: Reading["isAccount"]
    readonly isMember: Reading["isMember"]
    readonly isAdministrator: Reading["isAdministrator"]
    /** Owed once more; null when the request has no such callback. */
    readonly replayCallback: (requestId: string, id: string, at: Date) => Promise<Callback | null>
    /** Of the caller's business and kind; two that are made at once are counted one after the other. */
    readonly countWebhooks: (caller: Caller) => Promise<number>
    readonly insertWebhook: (webhook: Webhook) => Promise<void>
    /** Reads the webhook and holds it until the transaction ends; null when there is none. */
    readonly lockWebhook: (id: string) => Promise<Webhook | null>
    readonly saveWebhookSecrets: (webhook: Webhook) => Promise<void>
    /** What was still owed to it goes with it. */
    readonly removeWebhook: (webhook: Webhook) => Promise<void>
    /** Entries that the webhook's owner may read are owed to it once more; answers how many. */
    readonly replayEvents: (webhook: Webhook, which: WhichEvents, at: Date) => Promise<number>
    /** Owed once more; null when the webhook has no such delivery. */
    readonly replayDelivery: (webhookId: string, id: string, at: Date) => Promise<WebhookDelivery | null>
  }

/** HMAC-SHA-256 of an API key with the operator's pepper (security, R04). */
export type HashKey = (apiKey: string) => Uint8Array
/** SHA-256 of a text, in hex. */
export type Sha256 = (text: string) => string

export type Clock = () => Date
export type NewId = () => string
