/** One thing that happened to a request, appended in the transaction in which it happened; never changed. */
export type Evidence = {
  readonly type:
    | "request.created"
    | "request.started"
    | "request.updated"
    | "request.signers-changed"
    | "request.document-added"
    | "request.document-removed"
    | "request.withdrawn"
    | "request.completed"
    | "request.ended"
    | "request.deleted"
    | "signature.added"
    | "signature.removed"
    | "signature.name-flagged"
    | "signature.vouched"
    | "signature.invited"
    | "signature.invitation-failed"
    | "signature.opened"
    | "factor.passed"
    | "identification.started"
    | "identification.returned"
    | "identification.pending-review"
    | "identification.accepted"
    | "identification.rejected"
    | "signature.consented"
    | "signature.turn-taken"
    | "signature.turn-ended"
    | "provider.logged-in"
    | "key.offered"
    | "key.released"
    | "provider.signed"
    | "key.destroyed"
    | "signature.waiting"
    | "signature.signed"
    | "signature.declined"
    | "signature.failed"
    | "signature.mail-bounced"
    | "mail.sent"
    | "mail.failed"
    | "sms.sent"
    | "sms.failed"
    | "mark.made"
    | "document.renewed"
    | "observer.added"
    | "observer.removed"
    | "attachment.added"
    | "attachment.removed"
    | "seal.ordered"
    | "seal.made"
    | "seal.failed"
    | "seal.cancelled"
    | "report.sealed"
    | "request.held"
    | "request.hold-ended"
    | "story.erased"
  readonly at: Date
  readonly signatureId?: string
  readonly data?: Readonly<Record<string, string | number | null>>
}

/** One event as it is told later: what was logged of it, and where in the log it is. */
export type ToldEvent = {
  readonly seq: number
  readonly type: string
  readonly at: Date
  readonly signatureId: string | null
  readonly data: Readonly<Record<string, string | number | null>>
  /** What was hashed for the log: the salt, and the body as a text. */
  readonly salt: Uint8Array
  readonly body: string
  /** Null until the newest signed head of the log has it. */
  readonly logged: { readonly index: number; readonly path: readonly Uint8Array[] } | null
}

export type ToldStory = {
  readonly events: readonly ToldEvent[]
  /** Null where no head of the log was signed yet. */
  readonly log: {
    /** Whose head it is, as tools for notes write a key, and the head as it was signed. */
    readonly key: string
    readonly checkpoint: string
    /** A time-stamp over it, where that head got one. */
    readonly stamp: Uint8Array | null
  } | null
}
