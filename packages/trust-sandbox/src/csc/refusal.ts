/** CSC API 2.0, 10.2: how a method says no. */
export class CscRefusal extends Error {
  readonly status: number
  readonly error: string
  constructor(status: number, error: string, description: string) {
    super(description)
    this.name = "CscRefusal"
    this.status = status
    this.error = error
  }
}

export const refusal = (description: string, error = "invalid_request", status = 400): CscRefusal =>
  new CscRefusal(status, error, description)
