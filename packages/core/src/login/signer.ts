import type { Arrival } from "../signature-request/exits.ts"
import type { Kind } from "../signature-request/model.ts"

/** A person at one signature, known by the link that was mailed to them. */
export type Signer = {
  readonly businessId: string
  readonly requestId: string
  readonly signatureId: string
}

/**
 * By which way the person came: the link that was mailed, the address of a preview, which others can read too, a preview and
 * then the code that was mailed, or an account whose address is the signer's.
 */
export type Way = "link" | "preview" | "code" | "account"

/** Somebody who came through the door. A preview is enough to look, never to act. */
export type SignerSession = Signer & {
  /** Of the request. */
  readonly kind: Kind
  readonly idHash: Uint8Array
  readonly way: Way
  readonly arrival: Arrival
  /** Of the way "account": the login that it came from, and ends with. */
  readonly accountSessionId?: string | null
  /** SHA-256, in hex, of the secret with which this browser went to a provider of identification; absent where it did not. */
  readonly browserHash?: string
  /** Whence the person calls just now, for the evidence of what they do. */
  readonly ip?: string
}

/** As an event has it. */
export const calledFrom = ({ ip }: Pick<SignerSession, "ip">): { readonly ip?: string } =>
  ip === undefined ? {} : { ip }
