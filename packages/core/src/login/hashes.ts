/** The keyed hashes of one secret value: by the current pepper, and by those that were in use before (ADR 0096). */
export type Hashes = {
  /** Of the current pepper. It is stored with the hash. */
  readonly pepperId: string
  readonly current: Uint8Array
  readonly earlier: readonly Uint8Array[]
}

/** What a stored hash may be equal to, that of the current pepper first. */
export const everyHash = ({ current, earlier }: Hashes): readonly Uint8Array[] => [current, ...earlier]
