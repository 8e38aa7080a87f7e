import { KeysFailed, type KeysFailure } from "../keys-pkcs11/failed.ts"
import type { KeyQueueSettings } from "../keys-pkcs11/key-queue.ts"
import { startSecretKeys } from "../keys-pkcs11/secret-keys.ts"
import { KeyEncryptionFailed, type KeyEncryptionFailure } from "./failed.ts"
import type { KeyEncryption } from "./key-encryption.ts"
import { prove } from "./prove.ts"

export type Pkcs11Settings = KeyQueueSettings & {
  /** Of an AES-256 key in the token. */
  readonly label: string
}

/** A key in an HSM, which it never leaves. */
export function pkcs11KeyEncryption({ label, ...token }: Pkcs11Settings): KeyEncryption {
  const keys = startSecretKeys(token)
  const wrap = (key: Uint8Array, context: string) => keys.encrypt(label, key, context).catch(rethrow)
  const unwrap = (wrapped: Uint8Array, context: string) =>
    keys.decrypt(label, wrapped, context).catch(rethrow)
  return {
    id: uriOf(token.tokenLabel, label),
    wrap,
    unwrap,
    health: () => prove({ wrap, unwrap }),
    close: keys.close,
  }
}

/** RFC 7512, 2.3: the token belongs to the name, since two devices may have keys of the same label. */
function uriOf(tokenLabel: string, label: string): string {
  return `pkcs11:token=${encodeURIComponent(tokenLabel)};object=${encodeURIComponent(label)}`
}

const MEANS: Record<KeysFailure, KeyEncryptionFailure> = {
  "no-such-key": "no-such-key",
  "wrong-algorithm": "refused",
  "label-taken": "refused",
  "several-keys": "refused",
  corrupt: "corrupt",
  device: "down",
  timeout: "down",
  pin: "refused",
  busy: "down",
  closed: "down",
}

function rethrow(cause: unknown): never {
  if (!(cause instanceof KeysFailed)) throw cause
  throw new KeyEncryptionFailed(MEANS[cause.code], cause.message, { cause })
}
