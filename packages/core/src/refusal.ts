import type { Lack } from "./signature-request/model.ts"

/** Everything a caller can be told. Each code has one row in `contract/src/shared/problems.ts`. */
export type RefusalCode =
  | "credentials-invalid"
  | "token-expired"
  | "token-invalid"
  | "login-again"
  | "second-factor-needed"
  | "own-login-needed"
  | "single-sign-on-needed"
  | "single-sign-on-first"
  | "single-sign-on-failed"
  | "password-weak"
  | "rate-limited"
  | "reminder-limited"
  | "not-found"
  | "unsupported-media-type"
  | "write-access-needed"
  | "role-needed"
  | "last-owner"
  | "cross-site"
  | "constraint-violated"
  | "name-invalid"
  | "feature-not-enabled"
  | "credits-exhausted"
  | "request-not-open"
  | "request-held"
  | "signature-not-open"
  | "not-your-turn"
  | "proof-needed"
  | "identification-needed"
  | "identification-not-open"
  | "code-wrong"
  | "code-locked"
  | "another-shown"
  | "document-moved-on"
  | "others-signing"
  | "factor-needed"
  | "factor-held"
  | "identity-needed"
  | "not-released"
  | "release-over"
  | "consent-outdated"
  | "pdf-corrupt"
  | "pdf-encrypted"
  | "pdf-locked"
  | "pdf-xfa"
  | "pdf-not-a-pdf"
  | "pdf-too-complex"
  | "pdf-active-content"
  | "pdf-ambiguous-view"
  | "pdf-not-renderable"
  | "pdf-embedded-executable"
  | "malware-detected"
  | "attachment-unsupported"
  | "attachment-too-large"
  | "group-changed"
  | "group-in-use"
  | "document-signed"
  | "document-in-use"
  | "last-document"
  | "being-removed"
  | "not-acceptable"
  | "precondition-failed"
  | "range-not-satisfiable"
  | "cannot-render"
  | "body-too-large"
  | "pdf-too-large"
  | "file-url-failed"
  | "idempotency-conflict"
  | "idempotency-running"
  | "https-needed"
  | "part-down"

/** Something the caller can put right. Anything else that is thrown is a fault, and ours to fix. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** For `rate-limited` and `part-down`: when to come back (part 8). */
  readonly retryAfterSeconds: number | undefined
  /** For `part-down`: what a signature has to wait for. */
  readonly lacks: Lack | undefined

  constructor(code: RefusalCode, detail: string, options?: RefusalOptions) {
    super(detail, options)
    this.name = "Refusal"
    this.code = code
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.lacks = options?.lacks
  }
}

type RefusalOptions = ErrorOptions & { readonly retryAfterSeconds?: number; readonly lacks?: Lack }
