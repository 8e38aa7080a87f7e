import type { I18n } from "@lingui/core"
import type { components } from "./v3.d.ts"

export type Problem = components["schemas"]["Problem"]

/** What the service refused, as it said so. */
export class ProblemError extends Error {
  readonly problem: Partial<Problem>
  readonly retryAfterSeconds: number | null

  constructor(problem: Partial<Problem>, headers: Headers) {
    super(problem.message ?? problem.title ?? "The service did not answer.")
    this.problem = problem
    const seconds = Number(headers.get("retry-after"))
    this.retryAfterSeconds = seconds > 0 ? seconds : null
  }
}

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ProblemError && error.problem.status === status

export const isOff = (error: unknown): boolean =>
  error instanceof ProblemError && (error.problem.type ?? "").endsWith("feature-not-enabled")

/** What opens something is changed by whoever signed in a moment ago. */
export const isTooLongAgo = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.key === "error.account.login_again"

/** What the service found in a PDF, in its own words, where flattening would remove it; null for any other refusal. */
export function flattenable(error: unknown): string | null {
  const message = error instanceof ProblemError ? (error.problem.message ?? "") : ""
  const at = message.indexOf(FLATTEN_HINT)
  return at < 0 ? null : message.slice(0, at).trim()
}

/** How the refusal begins to say that `flatten` helps (core/src/document/one-view.ts). */
const FLATTEN_HINT = "Upload it with flatten=true"

/** Whether the refusal is of what a new PDF by a printer driver would not have. */
export const isGoneInPrint = (error: unknown): boolean =>
  error instanceof ProblemError &&
  ["file.pdf.active_content", "file.pdf.ambiguous_view", "file.pdf.embedded_executable"].includes(
    error.problem.key ?? "",
  )

/** What the service says of a PDF, for people who know PDF; null for any other refusal. */
export const detailsOf = (error: unknown): string | null =>
  error instanceof ProblemError && (error.problem.key ?? "").startsWith("file.pdf.")
    ? (error.problem.message ?? null)
    : null

/** In the reader's language where the key is known; else in the words of the service. */
export function explain(i18n: I18n, error: unknown): string {
  if (!(error instanceof ProblemError))
    return i18n._("We could not reach the service. Please check your connection and try again.")
  const { key = "", status, message } = error.problem
  return known(i18n, key) ?? byStatus(i18n, status) ?? message ?? error.message
}

function known(i18n: I18n, key: string): string | null {
  switch (key) {
    case "file.pdf.corrupt":
      return i18n._("This PDF is damaged. Please save it anew and try again.")
    case "file.pdf.encrypted":
      return i18n._("This PDF is protected with a password. Please remove the password first.")
    case "file.pdf.locked":
      return i18n._("This PDF is locked and may not be signed.")
    case "file.pdf.xfa":
      return i18n._("This PDF is an XFA form, which cannot be signed. Please print it into a new PDF.")
    case "file.pdf.active_content":
      return i18n._("This PDF contains scripts or actions, so it cannot be signed.")
    case "file.pdf.ambiguous_view":
      return i18n._(
        "This PDF can look different on screen, in print or after a click, so it cannot be signed.",
      )
    case "file.pdf.not_renderable":
      return i18n._("The pages of this PDF cannot be shown, so it cannot be signed.")
    case "file.pdf.embedded_executable":
      return i18n._("This PDF contains a program.")
    case "file.pdf.general_error":
      return i18n._("This file is not a PDF that we can read.")
    case "file.pdf.too_large":
      return i18n._("This file is too large.")
    case "file.malware.detected":
      return i18n._("This file was refused, because it holds malware.")
    case "file.attachment.unsupported":
      return i18n._("Files of this type are not taken as attachments.")
    case "error.name.invalid":
      return i18n._(
        "A name cannot be used. Write it on one line, without symbols and without words such as QES.",
      )
    case "error.credits.exhausted":
      return i18n._("The credits of this month are used up.")
    case "error.account.login_again":
      return i18n._("For this you must have signed in a moment ago.")
    case "error.account.second_factor_needed":
      return i18n._("For this, please sign in with a passkey or with an authenticator app.")
    case "error.account.single_sign_on_first":
      return i18n._("Please sign in once through your provider, so that nobody is locked out.")
    case "error.role.needed":
      return i18n._("Your role in the business does not allow this. Please ask an owner or administrator.")
    case "error.member.last_owner":
      return i18n._("A business keeps at least one owner. Please make somebody else an owner first.")
    case "error.sr.invalid_state":
      return i18n._("The request has moved on meanwhile, and this is no longer possible.")
    default:
      return null
  }
}

function byStatus(i18n: I18n, status: number | undefined): string | null {
  switch (status) {
    case 404:
      return i18n._("This is not there any more, or you may not see it.")
    case 412:
      return i18n._("Somebody else has changed this meanwhile. Please look at it again.")
    case 429:
      return i18n._("That was a little too fast. Please try again in a moment.")
    case 503:
      return i18n._("The service is busy just now. Please try again in a moment.")
    default:
      return null
  }
}
