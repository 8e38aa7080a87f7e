// What the services can be told to do wrong, so that whoever relies on them can be seen to notice.

import type { Answer } from "./http.ts"

type Anywhere =
  /** Status 200, the right content type, and noise. */
  | "garbage"
  /** Status 503. */
  | "unavailable"
  /** No answer at all; the connection stays open. */
  | "silence"
  /** Status 200, the right content type, and more than anybody should read. */
  | "huge"

/**
 * `stranger`: signed by a certificate with the right names and purposes that another authority issued. `expired`: by one that has
 * run out. `stale`: an hour ago, by what it says.
 */
export type TsaMisbehaviour =
  | Anywhere
  | "wrong-imprint"
  | "wrong-nonce"
  | "rejection"
  | "stranger"
  | "expired"
  | "stale"

export type OcspMisbehaviour =
  | Anywhere
  | "unknown"
  /** For an hour already: what was signed since then is worth nothing. */
  | "revoked"
  /** An answer that was over a day ago. */
  | "stale"
  | "wrong-nonce"
  | "try-later"
  | "stranger"
  /** Signed by a responder whose certificate has run out. */
  | "expired"
  /** About another certificate than the one that was asked about. */
  | "another"

export type CrlMisbehaviour = Anywhere | "stale"

/** A service that is not named behaves. */
export type Misbehaviour = {
  readonly tsa?: TsaMisbehaviour
  readonly ocsp?: OcspMisbehaviour
  readonly crl?: CrlMisbehaviour
}

/** A hundred times what such an answer has. */
const HUGE_BYTES = 1_000_000
const GARBAGE = new Uint8Array(500).fill(0xa5)

/** The answer of a service that does not even try, or undefined where it does. */
export function withoutTrying(how: string | undefined, contentType: string): Answer | undefined {
  if (how === "silence") return "silence"
  if (how === "unavailable") return { status: 503 }
  if (how === "garbage") return { status: 200, contentType, body: GARBAGE }
  // It begins as DER does: whoever reads on until it ends has read too much.
  if (how === "huge")
    return { status: 200, contentType, body: new Uint8Array(HUGE_BYTES).fill(0x30, 0, 1).fill(0x84, 1, 2) }
  return undefined
}
