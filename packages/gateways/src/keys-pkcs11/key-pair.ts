// Key pairs of a token: they sign, and nothing else.

import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import { holding } from "./hold.ts"
import { generation, makingFor } from "./mechanism.ts"
import { attribute, familyOf, findObject, findObjects, keyId } from "./objects.ts"
import type { KeyAlgorithm, Operation } from "./protocol.ts"
import { believeMissing, type Found, makeUnder, noSuchKey, remember, type Sight } from "./sight.ts"
import { ecPublicKey, edPublicKey, rsaPublicKey } from "./signature-value.ts"

type Handle = pkcs11.Handle

export async function sign(
  sight: Sight,
  session: Handle,
  { label, digests, algorithm }: Operation & { type: "sign" },
): Promise<Uint8Array> {
  const key = findPrivateKey(sight, session, label)
  if (key === null) throw noSuchKey(label)
  const making = makingFor(key.family, algorithm)
  const toSign = digests[making.digest]
  if (toSign === undefined)
    throw new KeysFailed("wrong-algorithm", "A key of this kind signs short texts, and no hashes.")
  sight.module.C_SignInit(session, making.mechanism, key.handle)
  const input = making.input(toSign)
  return making.value(await holding([input], sight.module.C_SignAsync(session, input, Buffer.alloc(1024))))
}

export function publicKey(sight: Sight, session: Handle, label: string): Uint8Array | null {
  const { module } = sight
  // The private key is looked for first, because that notices a session that has lost sight of the token.
  if (findPrivateKey(sight, session, label) === null) return null
  const handle = findObject(module, session, { objectClass: pkcs11.CKO_PUBLIC_KEY, label })
  if (handle === null) throw new KeysFailed("device", `The token has no public key labelled ${label}.`)
  const read = (type: number) => attribute(module, session, handle, type)
  const family = familyOf(module, session, handle)
  if (family === "RSA") return rsaPublicKey(read(pkcs11.CKA_MODULUS), read(pkcs11.CKA_PUBLIC_EXPONENT))
  const point = read(pkcs11.CKA_EC_POINT)
  return family === "Ed25519" ? edPublicKey(point) : ecPublicKey(family, point)
}

export async function generate(
  sight: Sight,
  session: Handle,
  label: string,
  algorithm: KeyAlgorithm,
): Promise<Uint8Array> {
  const isTaken = () => findPrivateKey(sight, session, label) !== null
  await makeUnder(sight, label, isTaken, () => {
    const { mechanism, publicTemplate, privateTemplate } = templates(label, algorithm)
    return sight.module.C_GenerateKeyPairAsync(session, mechanism, publicTemplate, privateTemplate)
  })
  const made = publicKey(sight, session, label)
  if (made === null) throw new KeysFailed("device", "The token does not show the key it has just made.")
  return made
}

/** Several objects of that label can only be left-overs of a device that failed in between: all of them go. */
export function destroy(sight: Sight, session: Handle, label: string): void {
  const { module, privateKeys } = sight
  privateKeys.delete(label)
  if (findPrivateKey(sight, session, label) === null) return
  privateKeys.delete(label)
  for (const objectClass of [pkcs11.CKO_PUBLIC_KEY, pkcs11.CKO_PRIVATE_KEY])
    for (const handle of findObjects(module, session, { objectClass, label }, MAX_LEFT_OVER))
      module.C_DestroyObject(session, handle)
}

const MAX_LEFT_OVER = 16

function templates(label: string, algorithm: KeyAlgorithm) {
  const both = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: label },
    { type: pkcs11.CKA_ID, value: keyId(label) },
  ]
  const { mechanism, parameters } = generation(algorithm)
  return {
    mechanism,
    publicTemplate: [...both, ...parameters, { type: pkcs11.CKA_VERIFY, value: true }],
    // The key can sign and nothing else, and never leaves the token, not even wrapped.
    privateTemplate: [
      ...both,
      { type: pkcs11.CKA_PRIVATE, value: true },
      { type: pkcs11.CKA_SENSITIVE, value: true },
      { type: pkcs11.CKA_EXTRACTABLE, value: false },
      { type: pkcs11.CKA_SIGN, value: true },
      { type: pkcs11.CKA_DECRYPT, value: false },
      { type: pkcs11.CKA_UNWRAP, value: false },
      ...(!algorithm.startsWith("RSA-") ? [{ type: pkcs11.CKA_DERIVE, value: false }] : []),
    ],
  }
}

function findPrivateKey(sight: Sight, session: Handle, label: string): Found | null {
  const { module, privateKeys } = sight
  const seen = privateKeys.get(label)
  if (seen !== undefined) return seen
  const handle = findObject(module, session, { objectClass: pkcs11.CKO_PRIVATE_KEY, label })
  if (handle === null) return believeMissing(sight, session)
  return remember(privateKeys, label, { handle, family: familyOf(module, session, handle) })
}
