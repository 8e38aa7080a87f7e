// All that a signed PDF brings along to be judged by, read and not yet believed.

import type { ByteInterval } from "@paraph/pades/byte-interval"
import type { PdfSignature } from "@paraph/pades/signatures"
import type { Certificate } from "@paraph/pki/certificate"
import type { Crl } from "@paraph/pki/crl"
import type { DigestName } from "@paraph/pki/digest"
import type { BasicOcspResponse } from "@paraph/pki/ocsp-response"
import type { SignedData, SignerInfo } from "@paraph/pki/signed-data"
import type { TimestampToken } from "@paraph/pki/timestamp-token"
import type { DocumentFormat } from "../report.ts"

export type Material = {
  readonly format: DocumentFormat
  readonly signatures: readonly Mark[]
  /** Time-stamps over the document. */
  readonly timestamps: readonly Stamp[]
  readonly evidence: Evidence
}

/** Each once, with every location in the file where its bytes stand; what was fetched has none. */
export type Evidence = {
  readonly certificates: readonly Certificate[]
  readonly answers: readonly BasicOcspResponse[]
  readonly lists: readonly Crl[]
  readonly locations: ReadonlyMap<object, readonly ByteInterval[]>
}

/** A signature: what stands in the PDF, and the CMS in it as far as it could be read. */
export type Mark = {
  readonly pdf: PdfSignature
  readonly cms: Cms | undefined
  readonly stamps: readonly Stamp[]
}

export type Cms = {
  readonly signedData: SignedData
  /** PAdES has exactly one (EN 319 142-1, 5.3.2). */
  readonly signer: SignerInfo | undefined
  /** Of the signed bytes, by the digest that the signer names; undefined where we do not know that one. */
  readonly content: Digested
}

export type Digested =
  | {
      readonly algorithm: DigestName
      readonly digest: Uint8Array
      /** Of the document, where what is signed is a digest of it. */
      readonly inside?: DigestName
    }
  | undefined

export type Stamp = {
  readonly type: "signature" | "document"
  /** Of a time-stamp over the document. */
  readonly pdf?: PdfSignature
  readonly token: TimestampToken | undefined
  /** What the token should be over, by the digest that it names. */
  readonly stamped: Digested
}
