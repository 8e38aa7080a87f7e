export type KeyEncryptionFailure =
  /** Whoever holds the key cannot be reached or gave up; the same call may succeed later. */
  | "down"
  /** Whoever holds the key will not do it, because of a credential, a policy or a setting: an operator has to act. */
  | "refused"
  /** There is no such key, or nothing is known of the key that a wrapped one names. */
  | "no-such-key"
  /** What was to be unwrapped was not wrapped by this key for that context, or has been changed since. */
  | "corrupt"

/** Why a key could not be wrapped or unwrapped. The message never holds a key, a PIN or a token. */
export class KeyEncryptionFailed extends Error {
  readonly code: KeyEncryptionFailure
  constructor(code: KeyEncryptionFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = "KeyEncryptionFailed"
    this.code = code
  }
}
