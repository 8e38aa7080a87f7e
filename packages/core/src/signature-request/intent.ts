/** The certificate that a mark was made with: names as RFC 4514 writes them, the number and the SHA-256 in hex. */
export type MarkCertificate = {
  readonly sha256: string
  readonly subject?: string
  readonly issuer?: string
  readonly serialNumber?: string
}

/** What will be appended to the PDF, with a hole for the mark: plain data, stored and resumed elsewhere, days later. */
export type PreparedMark = {
  /** Base64 of the bytes that the key signs. */
  readonly signedAttributes: string
  /** SHA-256 of the certificate that will stand in the mark, in hex. */
  readonly certificateSha256: string
  /** The same for people; absent where it was prepared by a version before. */
  readonly certificate?: Omit<MarkCertificate, "sha256">
  /** SHA-256 of the document that it is made on, in hex. */
  readonly baseSha256: string
  /** The release that it was prepared for; absent where the service's own key signs. */
  readonly releaseId?: string
  /** What the signature engine needs to finish; opaque to core. */
  readonly engine: unknown
}

/**
 * Intent first: the hash, the certificate and the id of the document to be are on record before any key is
 * used, and the raw value before the PDF is finished, so that a value that was kept is never asked for again.
 */
export type Intent = {
  readonly signatureId: string
  readonly documentId: string
  readonly baseId: string
  readonly versionId: string
  readonly prepared: PreparedMark
  readonly value: Uint8Array | null
  /** The time-stamp over the value, DER. */
  readonly stamp: Uint8Array | null
  readonly createdAt: Date
}
