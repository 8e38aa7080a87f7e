/** What can wrap the keys of businesses: a key of the operator, wherever that lies (decision 0018). */
export type KeyEncryption = {
  /** Names the key that wraps. It is stored beside everything wrapped, so it never changes while the key is the same. */
  readonly id: string
  /** `context` says whose key it is. It is authenticated and not stored, so that two wrapped keys cannot be swapped. */
  readonly wrap: (key: Uint8Array, context: string) => Promise<Uint8Array>
  readonly unwrap: (wrapped: Uint8Array, context: string) => Promise<Uint8Array>
  /** Rejects where the key cannot be used, or does not hold a wrapped key to its context. */
  readonly health: () => Promise<void>
  readonly close: () => Promise<void>
}
