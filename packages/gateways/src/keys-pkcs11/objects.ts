// Finding the objects of a token and reading what they say of themselves.

import { createHash } from "node:crypto"
import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import { CKK_EC_EDWARDS, curveOf, type KeyFamily } from "./mechanism.ts"

type Handle = pkcs11.Handle

export type Named = { readonly objectClass: number; readonly label: string }

export function findObject(module: pkcs11.PKCS11, session: Handle, named: Named): Handle | null {
  return findObjects(module, session, named, 1)[0] ?? null
}

export function findObjects(
  module: pkcs11.PKCS11,
  session: Handle,
  { objectClass, label }: Named,
  atMost: number,
): Handle[] {
  const template = [
    { type: pkcs11.CKA_CLASS, value: objectClass },
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: label },
  ]
  return search(module, session, template, atMost)
}

/** A key of this kind is made for one signature and destroyed after it, by whichever process comes to it. */
export const isPassing = (label: string): boolean => label.startsWith("signer-")

/** Some private or secret key that stays, or null where the token shows none. */
export function anyKey(module: pkcs11.PKCS11, session: Handle): Named | null {
  for (const objectClass of [pkcs11.CKO_SECRET_KEY, pkcs11.CKO_PRIVATE_KEY]) {
    const template = [
      { type: pkcs11.CKA_CLASS, value: objectClass },
      { type: pkcs11.CKA_TOKEN, value: true },
    ]
    for (const handle of search(module, session, template, MAX_LOOKED_AT)) {
      const label = Buffer.from(attribute(module, session, handle, pkcs11.CKA_LABEL)).toString()
      if (!isPassing(label)) return { objectClass, label }
    }
  }
  return null
}

const MAX_LOOKED_AT = 1000

/** Of a public or a private key: PKCS#11 2.40, 2.3.4 has CKA_EC_PARAMS in both. */
export function familyOf(module: pkcs11.PKCS11, session: Handle, handle: Handle): KeyFamily {
  const type = Buffer.from(attribute(module, session, handle, pkcs11.CKA_KEY_TYPE)).readUInt32LE()
  if (type === pkcs11.CKK_EC) return curveOf(attribute(module, session, handle, pkcs11.CKA_EC_PARAMS))
  if (type === pkcs11.CKK_RSA) return "RSA"
  // Ed448 signs with the same mechanism, and nobody has asked for it; its point would be longer.
  if (type === CKK_EC_EDWARDS) return "Ed25519"
  throw new KeysFailed("wrong-algorithm", "The key is of a kind that we do not sign with.")
}

export function attribute(module: pkcs11.PKCS11, session: Handle, handle: Handle, type: number): Uint8Array {
  const [read] = module.C_GetAttributeValue(session, handle, [{ type }])
  if (!Buffer.isBuffer(read?.value)) throw new KeysFailed("device", "The token does not show an attribute.")
  return read.value
}

/** CKA_ID as we give it: the same for both halves of a pair. */
export function keyId(label: string): Buffer {
  return createHash("sha256").update(label).digest().subarray(0, 20)
}

function search(module: pkcs11.PKCS11, session: Handle, template: pkcs11.Template, atMost: number): Handle[] {
  module.C_FindObjectsInit(session, template)
  const found = module.C_FindObjects(session, atMost)
  module.C_FindObjectsFinal(session)
  return found
}
