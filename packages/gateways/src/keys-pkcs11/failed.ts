export type KeysFailure =
  /** The token has no key of that label. */
  | "no-such-key"
  /** The key is of another kind than the algorithm that was asked for. */
  | "wrong-algorithm"
  /** A new key was to get a label that is taken. */
  | "label-taken"
  /** The device, its module or the process that holds it gave up; the next call starts a fresh one. */
  | "device"
  | "timeout"
  /** The PIN was not accepted. Nothing is tried again: a token locks itself after a few wrong ones. */
  | "pin"
  | "busy"
  | "closed"

export class KeysFailed extends Error {
  readonly code: KeysFailure
  constructor(code: KeysFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "KeysFailed"
    this.code = code
  }
}
