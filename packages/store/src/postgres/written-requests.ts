import type { Identification } from "@paraph/core/identification/model"
import type { Vouch } from "@paraph/core/release/model"
import {
  type Attachment,
  type Consent,
  type GroupEntry,
  type Identity,
  type Observer,
  type SignatureRequest,
  type SigningTurn,
  statusOf,
} from "@paraph/core/signature-request/model"
import type { Selectable } from "kysely"
import type { RequestRow, SignatureRow, Tables } from "./tables.ts"

/** A row as JSON writes it: its moments are text. */
type Written<Row> = {
  readonly [Name in keyof Row]: Row[Name] extends Date | null ? string | Extract<Row[Name], null> : Row[Name]
}
type WrittenDocument = Written<Tables["request_document"]>
type WrittenIdentification = Written<
  Omit<
    Selectable<Tables["identification"]>,
    "signature_id" | "business_id" | "tokens" | "key_version" | "browser_hash"
  >
> & { readonly browser_hash: string | null }
type WrittenSignature = {
  readonly row: Written<Selectable<SignatureRow>>
  readonly marks: readonly Selectable<Tables["mark"]>[]
  readonly identification: WrittenIdentification | null
}
type WrittenObserver = Written<Omit<Selectable<Tables["observer"]>, "request_id">> & {
  /** Of the group, where it is one. */
  readonly name: string | null
  readonly members: readonly string[]
}
type WrittenAttachment = Pick<
  Selectable<Tables["attachment"]>,
  "id" | "filename" | "content_type" | "size_bytes"
> & { readonly sha256: string }

/** What one request is in nine tables. */
export type WrittenRequest = {
  readonly row: Written<RequestRow>
  readonly owner: string
  readonly documents: readonly WrittenDocument[]
  readonly signatures: readonly WrittenSignature[]
  readonly groups: readonly Selectable<Tables["request_group"]>[]
  readonly observers: readonly WrittenObserver[]
  readonly attachments: readonly WrittenAttachment[]
}

const moment = (written: string | null): Date | null => (written === null ? null : new Date(written))

export function fromWritten(written: WrittenRequest): SignatureRequest {
  const { row } = written
  const [expiresAt, autoDeleteAt] = [moment(row.expires_at), moment(row.auto_delete_at)]
  const request: SignatureRequest = {
    id: row.id,
    businessId: row.business_id,
    kind: row.kind,
    ownerId: row.owner_id,
    owner: written.owner,
    title: row.title,
    message: row.message,
    creator: row.creator,
    custom: row.custom,
    lifecycle: row.lifecycle,
    inviting: row.inviting,
    quality: row.quality,
    legislation: row.legislation,
    documents: written.documents.map((d) => ({
      id: d.document_id,
      newestId: d.newest_id,
      name: d.name,
      renewAt: moment(d.renew_at),
    })),
    signatures: written.signatures.map((signature) => fromSignature(signature, written.documents)),
    groups: written.groups.map(fromGroup),
    observers: written.observers.map(fromObserver),
    attachments: written.attachments.map(fromAttachment),
    callbacks: {
      ...(row.callback_success_url !== null && { success: row.callback_success_url }),
      ...(row.callback_update_url !== null && { update: row.callback_update_url }),
      ...(row.callback_error_url !== null && { error: row.callback_error_url }),
    },
    attachOnSuccess: row.attach_on_success,
    readAccess: row.read_access,
    writeAccess: row.write_access,
    ccEmailAddresses: row.cc_email_addresses,
    expiresAt:
      row.expires_on === null || expiresAt === null ? null : { date: row.expires_on, passesAt: expiresAt },
    autoDeleteAt:
      row.auto_delete_on === null || autoDeleteAt === null
        ? null
        : { date: row.auto_delete_on, beginsAt: autoDeleteAt },
    withdrawMessage: row.withdraw_message,
    expiryWarnedAt: moment(row.expiry_warned_at),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
  const derived = statusOf(request)
  if (derived !== row.status)
    throw new Error(`Request ${row.id} is stored as ${row.status}, its signatures say ${derived}.`)
  return request
}

const fromSignature = (
  { row: s, marks, identification }: WrittenSignature,
  documents: readonly WrittenDocument[],
): SignatureRequest["signatures"][number] => ({
  id: s.id,
  email: s.email,
  identity: s.identity as Identity | null,
  identification: identification && fromIdentification(identification),
  groupId: s.group_id,
  place: s.place,
  notify: s.notify,
  restricted: s.restricted,
  language: s.language,
  state: s.state,
  consent: s.consent === null ? null : fromConsent(s.consent),
  turn: s.turn === null ? null : fromTurn(s.turn),
  vouch: s.vouch as Vouch | null,
  signedAt: moment(s.signed_at),
  declineReason: s.decline_reason,
  invitedAt: moment(s.invited_at),
  lastViewedAt: moment(s.last_viewed_at),
  remindedAt: moment(s.reminded_at),
  mailProblem: s.mail_problem,
  waitingFor: s.waiting_for,
  // In the order of the documents.
  marks: documents
    .flatMap((d) => marks.find((m) => m.document_id === d.document_id) ?? [])
    .map((m) => ({ documentId: m.document_id, versionId: m.version_id, visual: m.visual })),
})

const fromIdentification = (i: WrittenIdentification): Identification => ({
  id: i.id,
  provider: i.provider,
  required: i.required,
  state: i.state,
  attempt: i.attempt,
  startedAt: moment(i.started_at),
  returnedAt: moment(i.returned_at),
  decidedAt: moment(i.decided_at),
  until: moment(i.until),
  askAt: moment(i.ask_at),
  reason: i.reason,
  name: i.name,
  browserHash: i.browser_hash,
})

const fromGroup = (g: WrittenRequest["groups"][number]): GroupEntry => ({
  id: g.id,
  groupId: g.group_id,
  place: g.place,
  notify: g.notify,
  restricted: g.restricted,
  marks: g.marks,
})

/** Each group with its members of today. */
const fromObserver = (o: WrittenObserver): Observer => ({
  id: o.id,
  of:
    o.group_id === null
      ? { type: "USER", email: o.email ?? "" }
      : { type: "GROUP", groupId: o.group_id, name: o.name ?? "", members: o.members },
  invitedAt: new Date(o.invited_at),
  invitedBy: o.invited_by,
})

const fromAttachment = (a: WrittenAttachment): Attachment => ({
  id: a.id,
  filename: a.filename,
  contentType: a.content_type,
  sizeBytes: a.size_bytes,
  sha256: a.sha256,
})

function fromTurn(stored: object): SigningTurn {
  const turn = stored as Omit<SigningTurn, "until" | "provider"> & { until: string; provider?: string | null }
  // One of the version before was in our own token.
  return { ...turn, provider: turn.provider ?? null, until: new Date(turn.until) }
}

const UNSEEN = { look: { type: "plain" }, places: [] } as const

function fromConsent(stored: object): Consent {
  const consent = stored as Omit<Consent, "at"> & { at: string }
  // Those of the time before there were looks have none.
  return { ...UNSEEN, ...consent, at: new Date(consent.at) }
}
