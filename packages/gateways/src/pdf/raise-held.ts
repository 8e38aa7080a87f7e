// Raises the signatures of one document, in the process that reads it. Answers of authorities are parsed here too: they are
// strangers' bytes like the document's own.

import { archiveEndsAt } from "@paraph/pades/archive-end"
import { baseOf, grow } from "@paraph/pades/base"
import { MarkRefused } from "@paraph/pades/open-mark"
import { type Level, raise } from "@paraph/pades/raise"
import type { Source } from "@paraph/pades/source"
import { TimestampRefused } from "@paraph/pades/timestamp"
import { nonceFrom } from "@paraph/pki/nonce"
import { ValidationDataFailed } from "@paraph/pki/validation-data-failed"
import type { AskOutside, Done } from "./answer.ts"
import { PdfUnmet } from "./failed.ts"

export type RaiseAsked = {
  readonly to: Level
  /** What was appended already and is not in the file yet. */
  readonly tail: Uint8Array
  readonly now: Date
  /** DER. Where trust begins. */
  readonly anchors: readonly Uint8Array[]
  /** DER. Certificates that the document may lack. */
  readonly certificates: readonly Uint8Array[]
  /** The fields whose signatures are ours to raise. */
  readonly fields: readonly string[]
  /** What every nonce follows from, in a sandbox that repeats itself. */
  readonly seed?: string
}

export type Raised = {
  /** What to append behind the tail that was given. */
  readonly tail: Uint8Array
  /** When the certificate ends that stamped the whole document last; null where none did. */
  readonly archiveEndsAt: Date | null
}

/** The body is what to append behind that tail. */
export async function raiseHeld(
  { tail, seed, ...asked }: RaiseAsked,
  document: Source,
  outside: AskOutside,
): Promise<Done> {
  let stamping = false
  try {
    const base = grow(baseOf(document), tail)
    const nonces = seed === undefined ? {} : { newNonce: nonceFrom(seed) }
    const body = await raise(base, {
      ...asked,
      ...nonces,
      timestamp: async (request) => {
        stamping = true
        const answer = await outside({ of: "timestamp", body: request })
        stamping = false
        return answer
      },
      revocation: {
        askOcsp: (url, request) => outside({ of: "ocsp", url, body: request }),
        fetchCrl: (url) => outside({ of: "crl", url }),
        fetchCertificate: (url) => outside({ of: "certificate", url }),
        ...nonces,
      },
    })
    return { value: { archiveEndsAt: archiveEndsAt(grow(base, body).source) }, body }
  } catch (error) {
    throw asUnmet(error, stamping)
  }
}

function asUnmet(error: unknown, stamping: boolean): unknown {
  if (!(error instanceof Error)) return error
  if (stamping || error instanceof TimestampRefused) return new PdfUnmet("timestamp", error.message)
  if (error instanceof ValidationDataFailed) return new PdfUnmet("revocation", error.message)
  if (error instanceof MarkRefused) return new PdfUnmet("signature", error.message)
  return error
}
