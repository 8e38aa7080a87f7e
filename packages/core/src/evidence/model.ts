/** One thing that happened to a request, appended in the transaction in which it happened; never changed. */
export type Evidence = {
  readonly type:
    | "request.created"
    | "request.completed"
    | "request.ended"
    | "signature.added"
    | "signature.invited"
    | "signature.invitation-failed"
    | "signature.opened"
    | "signature.consented"
    | "signature.signed"
    | "signature.declined"
    | "signature.failed"
    | "mark.made"
  readonly at: Date
  readonly signatureId?: string
  readonly data?: Readonly<Record<string, string | number | null>>
}
