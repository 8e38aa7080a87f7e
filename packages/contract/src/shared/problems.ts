import type { RefusalCode } from "@paraph/core/refusal"

/** Decisions, "Errors": the problem types, each with a page of its own under the service's root. */
export const PROBLEM_TYPES = [
  "problem-with-message",
  "entity-not-found",
  "feature-not-enabled",
  "constraint-violation",
  "parameterized",
  "limit-exceeded",
] as const
export type ProblemType = (typeof PROBLEM_TYPES)[number]

export type ProblemRow = {
  readonly status: number
  readonly type: ProblemType
  readonly title: string
  /** Machine-readable and stable; clients match on it (part 7). */
  readonly key?: string
}

/** The only place where a refusal becomes a status and a key. Leave one out and it does not compile. */
export const PROBLEMS = {
  "credentials-invalid": row(
    401,
    "problem-with-message",
    "Invalid credentials",
    "error.auth.credentials_invalid",
  ),
  "token-expired": row(401, "problem-with-message", "The token has expired", "error.auth.token_expired"),
  "token-invalid": row(401, "problem-with-message", "A valid token is needed", "error.auth.token_invalid"),
  "login-again": row(403, "problem-with-message", "Log in again", "error.account.login_again"),
  "second-factor-needed": row(
    403,
    "problem-with-message",
    "A second factor is needed",
    "error.account.second_factor_needed",
  ),
  "own-login-needed": row(
    403,
    "problem-with-message",
    "Log in with something of your own",
    "error.account.own_login_needed",
  ),
  "single-sign-on-needed": row(
    403,
    "problem-with-message",
    "Log in by single sign-on",
    "error.account.single_sign_on_needed",
  ),
  "single-sign-on-first": row(
    409,
    "problem-with-message",
    "Log in by single sign-on first",
    "error.account.single_sign_on_first",
  ),
  "single-sign-on-failed": row(
    400,
    "problem-with-message",
    "The provider cannot be used",
    "error.account.single_sign_on_failed",
  ),
  "password-weak": row(400, "problem-with-message", "Choose another password", "error.account.password_weak"),
  "rate-limited": row(429, "limit-exceeded", "Too many requests", "error.rate_limit.exceeded"),
  "reminder-limited": row(429, "limit-exceeded", "Reminded within the hour", "error.rate_limit.reminder"),
  "not-found": row(404, "entity-not-found", "Not found"),
  "unsupported-media-type": row(415, "problem-with-message", "Unsupported media type"),
  "write-access-needed": row(403, "problem-with-message", "Write access is needed"),
  "role-needed": row(403, "problem-with-message", "Another role is needed", "error.role.needed"),
  "last-owner": row(
    409,
    "problem-with-message",
    "A business keeps its last owner",
    "error.member.last_owner",
  ),
  "cross-site": row(403, "problem-with-message", "Only our own pages may do this"),
  "constraint-violated": row(400, "constraint-violation", "Bad request"),
  "name-invalid": row(400, "constraint-violation", "The name cannot be used", "error.name.invalid"),
  "feature-not-enabled": row(403, "feature-not-enabled", "The feature is not enabled"),
  "credits-exhausted": row(403, "problem-with-message", "The credits are used up", "error.credits.exhausted"),
  "request-not-open": row(
    400,
    "problem-with-message",
    "The state of the request does not allow it",
    "error.sr.invalid_state",
  ),
  "signature-not-open": row(
    400,
    "problem-with-message",
    "The signature is not open",
    "error.sr.invalid_state",
  ),
  "not-your-turn": row(400, "problem-with-message", "Another signer comes first", "error.sr.invalid_state"),
  "proof-needed": row(403, "problem-with-message", "This address is enough to look, not to sign"),
  "identification-needed": row(
    403,
    "problem-with-message",
    "The signer has to be identified first",
    "error.identification.needed",
  ),
  "identification-not-open": row(
    400,
    "problem-with-message",
    "The state of the identification does not allow it",
    "error.identification.invalid_state",
  ),
  "code-wrong": row(400, "problem-with-message", "The code is wrong", "error.code.wrong"),
  "code-locked": row(403, "problem-with-message", "The code is not good any more", "error.code.locked"),
  "another-shown": row(
    409,
    "problem-with-message",
    "Another document is open in this browser",
    "error.session.other",
  ),
  "request-held": row(409, "problem-with-message", "The request is on hold", "error.sr.held"),
  "document-moved-on": row(409, "problem-with-message", "Someone signed in the meantime"),
  "others-signing": row(
    409,
    "problem-with-message",
    "Somebody else is signing just now",
    "error.signature.others_signing",
  ),
  "factor-needed": row(
    409,
    "problem-with-message",
    "A second factor is needed",
    "error.signature.factor_needed",
  ),
  "factor-held": row(
    409,
    "problem-with-message",
    "The second factor is too new",
    "error.signature.factor_held",
  ),
  "identity-needed": row(
    409,
    "problem-with-message",
    "The identity of the signer is not established",
    "error.signature.identity_needed",
  ),
  "not-released": row(
    409,
    "problem-with-message",
    "The signer has not released the key",
    "error.signature.not_released",
  ),
  "release-over": row(
    409,
    "problem-with-message",
    "The time to confirm has passed",
    "error.signature.release_over",
  ),
  "consent-outdated": row(409, "problem-with-message", "The text has changed"),
  "pdf-corrupt": row(400, "problem-with-message", "The PDF is damaged", "file.pdf.corrupt"),
  "pdf-encrypted": row(400, "problem-with-message", "The PDF is encrypted", "file.pdf.encrypted"),
  "pdf-locked": row(400, "problem-with-message", "The PDF may not be signed", "file.pdf.locked"),
  "pdf-xfa": row(400, "problem-with-message", "The PDF is an XFA form", "file.pdf.xfa"),
  "pdf-not-a-pdf": row(400, "problem-with-message", "Not a PDF", "file.pdf.general_error"),
  "pdf-too-complex": row(400, "problem-with-message", "The PDF asks too much", "file.pdf.general_error"),
  "pdf-active-content": row(
    400,
    "problem-with-message",
    "The PDF does things by itself",
    "file.pdf.active_content",
  ),
  "pdf-ambiguous-view": row(
    400,
    "problem-with-message",
    "The PDF can look different on screen, in print or after a click",
    "file.pdf.ambiguous_view",
  ),
  "pdf-not-renderable": row(
    400,
    "problem-with-message",
    "The pages of the PDF cannot be rendered",
    "file.pdf.not_renderable",
  ),
  "pdf-embedded-executable": row(
    400,
    "problem-with-message",
    "The PDF contains an executable file",
    "file.pdf.embedded_executable",
  ),
  "malware-detected": row(400, "problem-with-message", "The file holds malware", "file.malware.detected"),
  "attachment-unsupported": row(
    400,
    "problem-with-message",
    "The file is of a type that is not taken",
    "file.attachment.unsupported",
  ),
  "attachment-too-large": row(413, "limit-exceeded", "The attachment is too large", "file.pdf.too_large"),
  "group-changed": row(409, "problem-with-message", "The group has changed"),
  "group-in-use": row(400, "problem-with-message", "The group is needed", "error.sr.invalid_state"),
  "document-signed": row(400, "problem-with-message", "The document is signed", "file.pdf.locked"),
  "document-in-use": row(
    400,
    "problem-with-message",
    "The document is being signed",
    "error.sr.invalid_state",
  ),
  "last-document": row(
    400,
    "problem-with-message",
    "A request keeps its last document",
    "error.sr.last_document_cannot_be_removed",
  ),
  "being-removed": row(403, "problem-with-message", "The document is being removed"),
  "not-acceptable": row(406, "problem-with-message", "None of the accepted types is there"),
  "precondition-failed": row(412, "problem-with-message", "It has changed since it was read"),
  "range-not-satisfiable": row(416, "problem-with-message", "The range lies outside the document"),
  "cannot-render": row(422, "problem-with-message", "The page cannot be drawn"),
  "pdf-too-large": row(413, "limit-exceeded", "The document is too large", "file.pdf.too_large"),
  "body-too-large": row(413, "limit-exceeded", "The body is too large"),
  "file-url-failed": row(400, "problem-with-message", "The download failed"),
  "idempotency-conflict": row(
    409,
    "problem-with-message",
    "The Idempotency-Key was used before",
    "error.idempotency.conflict",
  ),
  "idempotency-running": row(
    409,
    "problem-with-message",
    "The first request is still running",
    "error.idempotency.in_progress",
  ),
  "https-needed": row(403, "problem-with-message", "Use https"),
  "part-down": row(503, "problem-with-message", "Try again later"),
} as const satisfies Record<RefusalCode, ProblemRow>

/** What a caller is told of a fault of ours: nothing but that it happened. */
export const FAULT: ProblemRow = {
  status: 500,
  type: "problem-with-message",
  title: "Something went wrong on our side",
}

function row(status: number, type: ProblemType, title: string, key?: string): ProblemRow {
  return key === undefined ? { status, type, title } : { status, type, title, key }
}
