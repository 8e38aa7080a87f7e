/** What the keys of businesses are wrapped by: the operator's key, wherever that lies (ADR 0018). */
export type KeyRing = {
  readonly currentId: string
  /** Of all keys that can unwrap, the current one first. */
  readonly ids: readonly string[]
  readonly wrap: (
    key: Uint8Array,
    context: string,
  ) => Promise<{ readonly id: string; readonly wrapped: Uint8Array }>
  readonly unwrap: (
    wrapped: { readonly id: string; readonly wrapped: Uint8Array },
    context: string,
  ) => Promise<Uint8Array>
}

/**
 * Authenticated with the wrapped key, so that neither the key of another business nor an older one of the same can be put
 * in its place (R35).
 */
export const businessContext = (businessId: string, version: number): string =>
  `business ${businessId} key ${version}`

/** The same for the secret of a person's authenticator app, which belongs to no business. */
export const accountContext = (accountId: string): string => `account ${accountId} second factor`
