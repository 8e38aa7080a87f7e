// What one process knows of its token, and when "there is no such key" may be believed.

import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import type { KeyFamily } from "./mechanism.ts"
import { findObject, isPassing, type Named } from "./objects.ts"

type Handle = pkcs11.Handle

/** A key pair's private half, as it was found. */
export type Found = { readonly handle: Handle; readonly family: KeyFamily }

export type Sight = {
  readonly module: pkcs11.PKCS11
  readonly privateKeys: Map<string, Found>
  readonly secretKeys: Map<string, Handle>
  /** A key that was there when the token was opened; null where it had none. */
  readonly witness: Named | null
  readonly beingMade: Set<string>
}

const MAX_KNOWN_KEYS = 10_000

export function remember<T>(known: Map<string, T>, label: string, found: T): T {
  if (known.size >= MAX_KNOWN_KEYS) known.clear()
  known.set(label, found)
  return found
}

/**
 * A session that outlived the loss of its token finds no keys, without any error. So before "there is no such
 * key" is believed, a key that this process has seen before must still be there.
 */
export function believeMissing(sight: Sight, session: Handle): null {
  const proof = sight.witness ?? firstKnown(sight)
  if (proof !== null && findObject(sight.module, session, proof) === null)
    throw new KeysFailed("device", "The session has lost sight of the token.")
  return null
}

function firstKnown({ privateKeys, secretKeys }: Sight): Named | null {
  const pair = [...privateKeys.keys()].find((label) => !isPassing(label))
  const secret = secretKeys.keys().next().value
  if (pair !== undefined) return { objectClass: pkcs11.CKO_PRIVATE_KEY, label: pair }
  if (secret !== undefined) return { objectClass: pkcs11.CKO_SECRET_KEY, label: secret }
  return null
}

/** A label is given once. Two who ask for it at the same time would both find it free. */
export async function makeUnder<T>(
  { beingMade }: Sight,
  label: string,
  isTaken: () => boolean,
  make: () => Promise<T>,
): Promise<T> {
  if (beingMade.has(label) || isTaken())
    throw new KeysFailed("label-taken", `The token already has a key labelled ${label}.`)
  beingMade.add(label)
  try {
    return await make()
  } finally {
    beingMade.delete(label)
  }
}

export function noSuchKey(label: string): KeysFailed {
  return new KeysFailed("no-such-key", `The token has no key labelled ${label}.`)
}
