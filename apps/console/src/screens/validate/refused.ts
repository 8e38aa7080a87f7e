import type { I18n } from "@lingui/core"
import { explain, hasStatus, ProblemError } from "../../api/problem.ts"
import { TOO_LARGE } from "./use-validation.ts"

/** Not "save it anew", as where one signs: that would take the signatures away. */
export function sayRefused(i18n: I18n, error: unknown): string {
  if (error === TOO_LARGE) return sayTooLarge(i18n)
  if (!(error instanceof ProblemError)) return explain(i18n, error)
  switch (error.problem.key) {
    case "file.pdf.corrupt":
    case "file.pdf.general_error":
      return i18n._(
        "This file cannot be read as a PDF. Please choose the signed PDF just as you received it.",
      )
    case "file.pdf.encrypted":
      return i18n._(
        "This PDF is protected with a password, so nobody can look into it here. Please ask whoever sent it for one without.",
      )
    case "file.pdf.too_large":
      return sayTooLarge(i18n)
    default:
      return explain(i18n, error)
  }
}

const sayTooLarge = (i18n: I18n): string =>
  i18n._("This file is too large. Up to 50 MB can be validated here.")

/** Ten minutes are over. */
export const sayGone = (i18n: I18n, error: unknown): string =>
  hasStatus(error, 404)
    ? i18n._("The result is not there any more. Please validate the document again.")
    : explain(i18n, error)
