import type { Kind } from "../signature-request/model.ts"
import type {
  RemoteAlgorithm,
  RemoteCredential,
  RemoteProblem,
  RemoteProvider,
  RemoteSigning,
  RemoteToken,
  Visit,
} from "./model.ts"

export type RemoteProviders = readonly RemoteProvider[]

/** Of whoever logged in: those that make what is wanted, at least one, or why there is none. Rejects while nobody answers. */
export type FindCredentials = (
  provider: string,
  kind: Kind,
  token: RemoteToken,
) => Promise<readonly RemoteCredential[] | RemoteProblem>

export type AskedRemotely = {
  readonly provider: string
  readonly kind: Kind
  readonly token: RemoteToken
  readonly credentialId: string
  readonly certificate: Uint8Array
  readonly algorithm: RemoteAlgorithm
  /** Base64: the bytes whose hashes are signed. */
  readonly toBeSigned: readonly string[]
  /** Our name for it, by which a bill can be compared with our books. */
  readonly reference: string
  /** Null: it is asked for the first time, or again in the very same words. */
  readonly responseId: string | null
}

/** What came of asking; each value is proved with the certificate. */
export type RemoteAnswer =
  | { readonly state: "signed"; readonly values: readonly Uint8Array[] }
  | { readonly state: "pending"; readonly responseId: string }
  /** Nobody answered, or nothing that means anything: the same is asked again. */
  | { readonly state: "later"; readonly mayHaveSigned: boolean }
  | { readonly state: "no"; readonly problem: RemoteProblem }

export type SignRemotely = (asked: AskedRemotely) => Promise<RemoteAnswer>

export type RemoteSigningsReading = {
  readonly findRemoteToken: (releaseId: string) => Promise<RemoteToken | null>
  /** The newest of a signature, also when its turn is over. */
  readonly findRemoteSigning: (signatureId: string) => Promise<RemoteSigning | null>
}

/** All under the lock of the request. */
export type RemoteSigningsTx = RemoteSigningsReading & {
  readonly insertRemoteSigning: (
    signing: Pick<RemoteSigning, "releaseId" | "signatureId" | "provider">,
    at: Date,
  ) => Promise<void>
  /** In the place of the one before; null takes it away. */
  readonly keepRemoteToken: (releaseId: string, token: RemoteToken | null) => Promise<void>
  readonly noteRemote: (
    releaseId: string,
    noted: Partial<Pick<RemoteSigning, "mayHaveSigned" | "responseId" | "problem">>,
  ) => Promise<void>
  /** One process at a time asks for the signatures; false: another one does. */
  readonly leaseRemote: (
    releaseId: string,
    lease: { readonly now: Date; readonly until: Date },
  ) => Promise<boolean>
  /** Gives it back; false: the time was over, and another one has had it since. */
  readonly returnRemote: (releaseId: string, until: Date) => Promise<boolean>
}

/** Somebody on the way to a provider. In the database are hashes alone, and whoever comes back has to have both. */
export type RemoteWay = { readonly stateHash: Uint8Array; readonly browserHash: Uint8Array }
export type RemoteWayTaken = {
  readonly businessId: string
  readonly requestId: string
  readonly signatureId: string
  readonly releaseId: string
  readonly visit: Visit
}
