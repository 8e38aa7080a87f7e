export type KeysFailure =
  /** The token has no key of that label. */
  | "no-such-key"
  /** The key is of another kind than was asked for, or may do what such a key must not. */
  | "wrong-algorithm"
  /** A new key was to get a label that is taken. */
  | "label-taken"
  /** Two keys have the label. Whichever one took, the other might have been meant. */
  | "several-keys"
  /** What was to be decrypted was not encrypted by this key in that context. */
  | "corrupt"
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
