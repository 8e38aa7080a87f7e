/** Why a provider did not say who somebody is. The message may be shown; what it said itself is in the `cause`, for the log. */
export class OpenIdFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "OpenIdFailed"
  }
}
