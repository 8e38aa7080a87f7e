/** Why a PKCS#12 file cannot be used. */
export class Pkcs12Refused extends Error {
  readonly code: "malformed" | "passphrase" | "unsupported" | "no-key"
  constructor(code: Pkcs12Refused["code"], detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "Pkcs12Refused"
    this.code = code
  }
}
