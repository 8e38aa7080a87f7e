// Finding the objects of a token and reading what they say of themselves.

import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import { curveOf, type KeyFamily } from "./mechanism.ts"

type Handle = pkcs11.Handle

export function findObject(
  module: pkcs11.PKCS11,
  session: Handle,
  objectClass: number,
  label: string,
): Handle | null {
  return firstOf(module, session, [
    { type: pkcs11.CKA_CLASS, value: objectClass },
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: label },
  ])
}

/** The label of some private key, or null where the token has none. */
export function anyPrivateKey(module: pkcs11.PKCS11, session: Handle): string | null {
  const handle = firstOf(module, session, [{ type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY }])
  if (handle === null) return null
  return Buffer.from(attribute(module, session, handle, pkcs11.CKA_LABEL)).toString()
}

/** Of a public or a private key: PKCS#11 2.40, 2.3.4 has CKA_EC_PARAMS in both. */
export function familyOf(module: pkcs11.PKCS11, session: Handle, handle: Handle): KeyFamily {
  const type = Buffer.from(attribute(module, session, handle, pkcs11.CKA_KEY_TYPE)).readUInt32LE()
  if (type === pkcs11.CKK_EC) return curveOf(attribute(module, session, handle, pkcs11.CKA_EC_PARAMS))
  if (type === pkcs11.CKK_RSA) return "RSA"
  throw new KeysFailed("wrong-algorithm", "The key is of a kind that we do not sign with.")
}

export function attribute(module: pkcs11.PKCS11, session: Handle, handle: Handle, type: number): Uint8Array {
  const [read] = module.C_GetAttributeValue(session, handle, [{ type }])
  if (!Buffer.isBuffer(read?.value)) throw new KeysFailed("device", "The token does not show an attribute.")
  return read.value
}

function firstOf(module: pkcs11.PKCS11, session: Handle, template: pkcs11.Template): Handle | null {
  module.C_FindObjectsInit(session, template)
  const [found] = module.C_FindObjects(session, 1)
  module.C_FindObjectsFinal(session)
  return found ?? null
}
