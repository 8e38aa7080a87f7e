import type { Hashes } from "../login/hashes.ts"
import type { Kind } from "../signature-request/model.ts"
import type { TelephoneNumber } from "../telephone/number.ts"
import type { CodePurpose, OneTimeCode } from "./model.ts"

/**
 * Six digits that nobody can foretell, made with a key of the operator's: for the same asking always the same, so that a message
 * that is sent twice says the same twice.
 */
export type CodeFor = (of: OneTimeCode) => string
/** Keyed, and bound to the purpose, the signature, the session, what it is for, and the number of the asking. */
export type HashCode = (of: OneTimeCode, code: string) => Hashes

/** Whom a text message may go to. */
export type SmsReach = {
  /** Of production the operator says which countries; a demo message goes nowhere, so to anybody. */
  readonly reaches: (kind: Kind, number: TelephoneNumber) => boolean
  /** Messages that one business may cause in a day. */
  readonly perBusiness: number
}

/** One text message to one telephone, as the operator's gateway takes it; answers what the gateway calls it. */
export type SendSms = (message: {
  readonly to: TelephoneNumber
  readonly text: string
  /** The same over all attempts: a gateway that has had it does not send it again. */
  readonly reference: string
}) => Promise<{ readonly id: string }>

/** What is counted by day, over all signatures. */
export type Counted =
  | "code wrong in business"
  | "code wrong"
  | "code sent"
  | "code sent from network"
  | "sms of business"

export type CodesReading = {
  readonly findCode: (purpose: CodePurpose, signatureId: string) => Promise<OneTimeCode | null>
}

export type CodesTx = {
  /** Reads the code and holds it until the transaction ends; null when none was asked for. */
  readonly lockCode: CodesReading["findCode"]
  readonly saveCode: (code: OneTimeCode) => Promise<void>
  /** How often it was done on that day, this time too, whoever did it; counted one after the other. */
  readonly addToday: (what: Counted, key: string, at: Date, more: 1 | -1) => Promise<number>
}
