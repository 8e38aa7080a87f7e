// Why validation data could not be collected, and for whom.

import type { Certificate } from "../certificate/certificate.ts"

export type ValidationDataFailedCode =
  | "no-path"
  | "revoked"
  | "no-revocation-information"
  | "too-many"
  | "malformed"

export class ValidationDataFailed extends Error {
  readonly code: ValidationDataFailedCode
  /** The signer or the authority that the data were for; what failed may lie above it. */
  readonly target: Certificate | undefined
  constructor(
    code: ValidationDataFailedCode,
    detail: string,
    options: ErrorOptions & { readonly target?: Certificate } = {},
  ) {
    super(detail, options)
    this.name = "ValidationDataFailed"
    this.code = code
    this.target = options.target
  }
}
