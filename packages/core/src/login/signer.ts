/** A person at one signature, known by the link that was mailed to them. */
export type Signer = {
  readonly businessId: string
  readonly requestId: string
  readonly signatureId: string
}
