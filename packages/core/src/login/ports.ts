import type { Caller } from "../access/caller.ts"
import type { Language } from "../language.ts"
import type { ServedPages } from "../signature-request/served-pages.ts"
import type { Hashes } from "./hashes.ts"
import type { SignerSession } from "./signer.ts"

/** Part 5.2: the key that was shown at login, if it is known, alive and of that user. */
export type FindKey = (username: string, keyHashes: Hashes, now: Date) => Promise<Caller | null>
/** HMAC-SHA-256 of an API key with the operator's pepper, and with earlier ones (security, R04). */
export type HashKey = (apiKey: string) => Hashes

/** By which of the three addresses a session was opened. */
export type CountedWay = Exclude<SignerSession["way"], "code">

export type NewSession = Pick<SignerSession, "idHash" | "way" | "arrival" | "accountSessionId" | "ip">

export type SignersTx = {
  readonly insertLink: (signatureId: string, tokenHash: Uint8Array, at: Date) => Promise<void>
  readonly insertSession: (signatureId: string, session: NewSession, at: Date) => Promise<void>
  /** Those that began since then, by the mailed link or by whatever else. */
  readonly countSessions: (signatureId: string, by: CountedWay, since: Date) => Promise<number>
  /** The preview has become more than that: its signer had the code. */
  readonly proveSession: (idHash: Uint8Array) => Promise<void>
  /** Which pages the signer was served, in this session and in others that are the signer's. */
  readonly servedPages: (signatureId: string, idHash: Uint8Array) => Promise<readonly ServedPages[]>
  /** The language of a session, where one was asked for or chosen. */
  readonly sessionLanguage: (idHash: Uint8Array) => Promise<Language | null>
}
