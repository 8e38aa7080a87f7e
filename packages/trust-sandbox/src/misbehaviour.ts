// What the services can be told to do wrong, so that whoever relies on them can be seen to notice.

import type { Answer } from "./http.ts"

type Anywhere =
  /** Status 200, the right content type, and noise. */
  | "garbage"
  /** Status 503. */
  | "unavailable"
  /** No answer at all; the connection stays open. */
  | "silence"

/** `stranger`: signed by a certificate with the right names and purposes that another authority issued. */
export type TsaMisbehaviour = Anywhere | "wrong-imprint" | "wrong-nonce" | "rejection" | "stranger"

export type OcspMisbehaviour =
  | Anywhere
  | "unknown"
  | "revoked"
  /** An answer that was over a day ago. */
  | "stale"
  | "wrong-nonce"
  | "try-later"
  | "stranger"

export type CrlMisbehaviour = Anywhere | "stale"

/** A service that is not named behaves. */
export type Misbehaviour = {
  readonly tsa?: TsaMisbehaviour
  readonly ocsp?: OcspMisbehaviour
  readonly crl?: CrlMisbehaviour
}

const GARBAGE = new Uint8Array(500).fill(0xa5)

/** The answer of a service that does not even try, or undefined where it does. */
export function withoutTrying(how: string | undefined, contentType: string): Answer | undefined {
  if (how === "silence") return "silence"
  if (how === "unavailable") return { status: 503 }
  if (how === "garbage") return { status: 200, contentType, body: GARBAGE }
  return undefined
}
