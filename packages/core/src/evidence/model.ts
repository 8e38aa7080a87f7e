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
    | "signature.invited"
    | "signature.invitation-failed"
    | "signature.opened"
    | "factor.passed"
    | "signature.consented"
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
  readonly at: Date
  readonly signatureId?: string
  readonly data?: Readonly<Record<string, string | number | null>>
}
