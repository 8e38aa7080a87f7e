import type { KeyEncryption } from "./key-encryption.ts"
import { type Pkcs11Settings, pkcs11KeyEncryption } from "./pkcs11.ts"
import { type TransitSettings, transitKeyEncryption } from "./transit.ts"

export type { KeyEncryption }

export type KeyEncryptionSettings =
  | ({ readonly type: "pkcs11" } & Pkcs11Settings)
  | ({ readonly type: "transit" } & TransitSettings)

/** Keys in files are the key process's (key-process.ts). Opens nothing yet: a device or a server is first asked by the first call, or by `health`. */
export function openKeyEncryption(settings: KeyEncryptionSettings): KeyEncryption {
  switch (settings.type) {
    case "pkcs11":
      return pkcs11KeyEncryption(settings)
    case "transit":
      return transitKeyEncryption(settings)
  }
}
