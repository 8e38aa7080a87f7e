import type { Caller } from "../access/caller.ts"
import type { Language } from "../language.ts"
import type { SignerSession } from "./signer.ts"

/** Part 5.2: the key that was shown at login, if it is known, alive and of that user. */
export type FindKey = (username: string, keyHash: Uint8Array, now: Date) => Promise<Caller | null>
/** HMAC-SHA-256 of an API key with the operator's pepper (security, R04). */
export type HashKey = (apiKey: string) => Uint8Array

/** By which of the three addresses a session was opened. */
export type CountedWay = Exclude<SignerSession["way"], "code">

export type NewSession = Pick<SignerSession, "idHash" | "way" | "arrival" | "accountSessionId">

/** The code by which a signer proves the e-mail address: one for a signature at a time. */
export type SignerCode = {
  readonly signatureId: string
  /** The session that asked for it; no other can use it. */
  readonly sessionHash: Uint8Array
  readonly number: number
  /** Null until it is made. */
  readonly codeHash: Uint8Array | null
  readonly askedAt: Date
  readonly attemptsLeft: number
  /** All askings of the last hour. */
  readonly asked: readonly Date[]
  /** Wrong codes, ever. */
  readonly wrong: number
}
export type Counted = "code wrong" | "code sent" | "code sent from network"
/** Six digits that nobody can foretell. */
export type NewCode = () => string
/** Keyed, and bound to the signature, the session and the number of the asking. */
export type HashCode = (of: SignerCode, code: string) => Uint8Array

export type SignersReading = {
  readonly findCode: (signatureId: string) => Promise<SignerCode | null>
}

export type SignersTx = {
  readonly insertLink: (signatureId: string, tokenHash: Uint8Array, at: Date) => Promise<void>
  readonly insertSession: (signatureId: string, session: NewSession, at: Date) => Promise<void>
  /** Those that began since then, by the mailed link or by whatever else. */
  readonly countSessions: (signatureId: string, by: CountedWay, since: Date) => Promise<number>
  /** The preview has become more than that: its signer had the code. */
  readonly proveSession: (idHash: Uint8Array) => Promise<void>
  /** The language of a session, where one was asked for or chosen. */
  readonly sessionLanguage: (idHash: Uint8Array) => Promise<Language | null>
  /** Reads the code and holds it until the transaction ends; null when none was asked for. */
  readonly lockCode: (signatureId: string) => Promise<SignerCode | null>
  readonly saveCode: (code: SignerCode) => Promise<void>
  /** How often it was done on that day, this time too, whoever did it; counted one after the other. */
  readonly addToday: (what: Counted, key: string, at: Date, more: 1 | -1) => Promise<number>
}
