import type { Kind, Legislation } from "../signature-request/model.ts"

/** A qualified trust service provider, who holds people's keys and signs hashes with them (decisions, "what a quality means here"). */
export type RemoteProvider = {
  readonly name: string
  /** As people know it. */
  readonly title: string
  readonly kind: Kind
  readonly legislation: Legislation
}

/** The person goes there twice: the certificate must be known before anything can be hashed (ADR 0039). */
export type Visit = "log-in" | "release"

/**
 * Why a signature did not come about, for the person.
 * - `unreachable`: nobody could be asked; `refused`: the person said no there; `expired`: what they confirmed is over or used up.
 * - `no-certificate`, `not-qualified`, `not-usable`: nothing there makes a qualified signature by this law; `other-person`: it is somebody else's.
 * - `lost`: it was signed, and the answer never came; `failed`: the provider does what it may not do.
 */
export type RemoteProblem =
  | "unreachable"
  | "refused"
  | "expired"
  | "no-certificate"
  | "not-qualified"
  | "not-usable"
  | "other-person"
  | "lost"
  | "failed"

/** A certificate of a person, judged, and the key at the provider that it is of. */
export type RemoteCredential = {
  readonly id: string
  /** DER, and its issuers from the nearest on, without the anchor. */
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly names: CertifiedNames
  readonly algorithm: RemoteAlgorithm
  /** How many signatures one release is good for. */
  readonly most: number
}

/** As the certificate has them. */
export type CertifiedNames = {
  readonly commonName: string
  readonly givenName: string | null
  readonly surname: string | null
}

/** Ours, and the name by which the provider knows it. */
export type RemoteAlgorithm = { readonly name: string; readonly signAlgo: string }

/** What opens the provider for one visit's sake, sealed as long as it is kept. */
export type RemoteToken = {
  readonly accessToken: string
  readonly expiresAt: string
  /** The credential, where the person chose one there. */
  readonly credentialId: string | null
}

/** What is on record of one signature at a provider. */
export type RemoteSigning = {
  readonly releaseId: string
  readonly signatureId: string
  readonly provider: string
  /** Signing was asked for, and no answer came that says no: the key may have been used. */
  readonly mayHaveSigned: boolean
  /** Where the provider signs in the background: what to ask for it by. */
  readonly responseId: string | null
  readonly problem: RemoteProblem | null
}
