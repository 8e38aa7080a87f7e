import type { MailType } from "@paraph/core/captured-mail/model"
import type { Evidence } from "@paraph/core/evidence/model"
import type { NameWarning } from "@paraph/core/names/scripts"
import type { NameBy, VouchDocument } from "@paraph/core/release/model"
import type { Lack, Quality, SignatureState, Status } from "@paraph/core/signature-request/model"

/** Every word of the signature protocol (ADR 0053). A language that leaves one out does not compile. */
export type ProtocolWords = {
  readonly title: string
  readonly subtitle: string
  readonly demo: string
  /** At the foot of each page: `{id}`; `{page}`, `{pages}`. */
  readonly footer: string
  readonly pageOf: string
  readonly outcomes: Readonly<Record<Status, { readonly heading: string; readonly text: string }>>
  /** Where one person alone was asked, and has signed. */
  readonly oneSigned: string
  readonly labels: Readonly<Record<Label, string>>
  readonly qualities: Readonly<Record<Quality, string>>
  readonly states: Readonly<Record<SignatureState, string>>
  readonly documents: string
  readonly documentsLead: string
  /** `{name}`; and of an archive renewal. */
  /** With `{pages}` and `{count}`. */
  readonly servedPages: string
  readonly servedNone: string
  readonly signedBy: string
  readonly renewed: string
  readonly nameless: string
  readonly timeline: string
  readonly request: string
  /** `{count}`. */
  readonly more: string
  readonly notLogged: string
  readonly check: CheckWords
  readonly events: Readonly<Record<EventType, string>>
  readonly details: Readonly<Record<Detail, string>>
  readonly values: {
    readonly nameBy: Readonly<Record<NameBy, string>>
    readonly document: Readonly<Record<VouchDocument, string>>
    readonly nameWarning: Readonly<Record<NameWarning, string>>
    readonly through: Readonly<Record<string, string>>
    readonly factor: Readonly<Record<string, string>>
    readonly letter: Readonly<Record<MailType, string>>
    readonly by: Readonly<Record<"signer" | "time" | "provider", string>>
    readonly for: Readonly<Record<Lack, string>>
  }
}

export type EventType = Evidence["type"]

export type Label =
  | "title"
  | "id"
  | "sender"
  | "quality"
  | "created"
  | "ended"
  | "events"
  | "sealedBy"
  | "email"
  | "nameBy"
  | "nameWarning"
  | "state"
  | "signedAt"
  | "reason"
  | "consent"
  | "served"
  | "factors"
  | "ip"
  | "certificate"
  | "issuer"
  | "serialNumber"
  | "certificateSha256"
  | "uploaded"
  | "version"

/** What of an event is said behind its sentence; ids and hashes are in the file. */
export type Detail =
  | "name"
  | "nameBy"
  | "nameSource"
  | "nameAt"
  | "document"
  | "mobileNumber"
  | "through"
  | "ip"
  | "to"
  | "email"
  | "kind"
  | "factor"
  | "letter"
  | "reason"
  | "message"
  | "problem"
  | "provider"
  | "for"
  | "by"

export type CheckWords = {
  readonly heading: string
  /** `{sealer}`. */
  readonly seal: string
  /** `{count}`. */
  readonly attached: string
  /** On the page, to which nothing is attached: where the sealed one and the file are, `{address}`. */
  readonly elsewhere: string
  readonly documents: string
  readonly command: string
  /** `{address}`. */
  readonly key: string
  readonly log: string
  readonly logKey: string
  readonly logSize: string
  /** Of the attached file, in a PDF reader. */
  readonly attachment: string
}
