import type { CertificateOrder, IssuedCertificate } from "../certificate/ports.ts"
import type { Kind } from "../signature-request/model.ts"
import type { Passed, Release } from "./model.ts"
import type { ProvenName } from "./proven-name.ts"

/** Keys of signers: made for one signature in the token of its kind, and destroyed after it. */

/** The public key under that label, SubjectPublicKeyInfo; made where there is none yet. P-256 (decisions, "identity behind AES"). */
export type MakeSignerKey = (kind: Kind, keyLabel: string) => Promise<Uint8Array>
export type IssueSignerCertificate = (order: CertificateOrder) => Promise<IssuedCertificate>
/** For good. One that is gone already is no fault. */
export type DestroySignerKey = (kind: Kind, keyLabel: string) => Promise<void>
/** SHA-256 of bytes, in hex. */
export type Sha256Of = (bytes: Uint8Array | { readonly base64: string }) => string

/** On record before it is made and until it is destroyed, so that none is ever forgotten in a token. */
export type SignerKey = { readonly keyLabel: string; readonly kind: Kind; readonly dueAt: Date }

export type ReleasesReading = {
  readonly findRelease: (id: string) => Promise<Release | null>
}

/** All under the lock of the request. */
export type ReleasesTx = {
  readonly findRelease: ReleasesReading["findRelease"]
  readonly insertRelease: (release: Release) => Promise<void>
  /** Once, and for good. */
  readonly passRelease: (id: string, passed: Passed) => Promise<void>
  /** The newest moment takes the place of the one before. */
  readonly noteSignerKey: (key: SignerKey) => Promise<void>
  readonly forgetSignerKey: (keyLabel: string) => Promise<void>
  /** Replaces an older proof of the same kind. */
  readonly saveProvenName: (name: ProvenName) => Promise<void>
}
