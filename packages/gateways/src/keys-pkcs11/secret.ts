// Secret keys of a token: AES-256-GCM (PKCS#11 2.40, 2.12.3), and nothing else.

import { randomBytes } from "node:crypto"
import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import { holding } from "./hold.ts"
import { attribute, findObjects, keyId } from "./objects.ts"
import type { Operation } from "./protocol.ts"
import { believeMissing, makeUnder, noSuchKey, remember, type Sight } from "./sight.ts"

type Handle = pkcs11.Handle
type Asked = Operation & { readonly type: "encrypt" | "decrypt" }

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

export async function encrypt(
  sight: Sight,
  session: Handle,
  { label, data, context }: Asked,
): Promise<Buffer> {
  const key = findSecretKey(sight, session, label)
  if (key === null) throw noSuchKey(label)
  return seal(sight.module, session, key, data, context)
}

/** Values: iv ‖ ciphertext ‖ tag. */
async function seal(
  module: pkcs11.PKCS11,
  session: Handle,
  key: Handle,
  data: Uint8Array,
  context: Uint8Array,
): Promise<Buffer> {
  // A device that makes the IV itself writes it over ours, in this very buffer; so it is read after the operation.
  const iv = randomBytes(IV_BYTES)
  const [aad, plain] = [Buffer.from(context), Buffer.from(data)]
  module.C_EncryptInit(session, gcm(iv, aad), key)
  const room = Buffer.alloc(data.length + 2 * TAG_BYTES)
  const sealed = await holding([iv, aad, plain], module.C_EncryptAsync(session, plain, room))
  if (sealed.length !== data.length + TAG_BYTES)
    throw new KeysFailed("wrong-algorithm", "The token adds something of its own to what it encrypts.")
  return Buffer.concat([iv, sealed])
}

/**
 * Few devices say that a tag is wrong. SoftHSM2 answers CKR_GENERAL_ERROR, as it does for any trouble of its own. So
 * before a value is called corrupt, the same session must have done something right, and failed with it a second time.
 */
export async function decrypt(
  sight: Sight,
  session: Handle,
  { label, data, context }: Asked,
): Promise<Buffer> {
  const { module } = sight
  const key = findSecretKey(sight, session, label)
  if (key === null) throw noSuchKey(label)
  if (data.length < IV_BYTES + TAG_BYTES) throw corrupt()
  try {
    return await open(module, session, key, data, context)
  } catch (error) {
    if (saysCorrupt(error)) throw corrupt()
    if (!mayMeanCorrupt(error)) throw error
  }
  const probe = randomBytes(KEY_BYTES)
  const sealed = await seal(module, session, key, probe, context)
  if (!probe.equals(await open(module, session, key, sealed, context)))
    throw new KeysFailed("device", "The token does not decrypt what it has just encrypted.")
  try {
    return await open(module, session, key, data, context)
  } catch (error) {
    throw mayMeanCorrupt(error) ? corrupt() : error
  }
}

async function open(
  module: pkcs11.PKCS11,
  session: Handle,
  key: Handle,
  data: Uint8Array,
  context: Uint8Array,
): Promise<Buffer> {
  const iv = Buffer.from(data.subarray(0, IV_BYTES))
  const [aad, sealed] = [Buffer.from(context), Buffer.from(data.subarray(IV_BYTES))]
  module.C_DecryptInit(session, gcm(iv, aad), key)
  return holding([iv, aad, sealed], module.C_DecryptAsync(session, sealed, Buffer.alloc(sealed.length)))
}

function gcm(iv: Buffer, aad: Buffer): pkcs11.Mechanism {
  const parameter: pkcs11.AesGCM = {
    type: pkcs11.CK_PARAMS_AES_GCM_v240,
    iv,
    ivBits: 8 * IV_BYTES,
    aad,
    tagBits: 8 * TAG_BYTES,
  }
  return { mechanism: pkcs11.CKM_AES_GCM, parameter }
}

// PKCS#11 3.0, 5.1.6; pkcs11js knows the numbers of 2.40 only.
const CKR_AEAD_DECRYPT_FAILED = 0x42

function saysCorrupt(error: unknown): boolean {
  return isOneOf(error, [
    pkcs11.CKR_ENCRYPTED_DATA_INVALID,
    pkcs11.CKR_ENCRYPTED_DATA_LEN_RANGE,
    CKR_AEAD_DECRYPT_FAILED,
  ])
}

function mayMeanCorrupt(error: unknown): boolean {
  return isOneOf(error, [pkcs11.CKR_GENERAL_ERROR, pkcs11.CKR_FUNCTION_FAILED])
}

function isOneOf(error: unknown, codes: readonly number[]): boolean {
  return error instanceof pkcs11.Pkcs11Error && codes.includes(error.code)
}

function corrupt(): KeysFailed {
  return new KeysFailed("corrupt", "The value was not encrypted by this key in this context.")
}

export async function generateSecret(sight: Sight, session: Handle, label: string): Promise<null> {
  const isTaken = () => findSecretKey(sight, session, label) !== null
  await makeUnder(sight, label, isTaken, () =>
    sight.module.C_GenerateKeyAsync(session, { mechanism: pkcs11.CKM_AES_KEY_GEN }, template(label)),
  )
  if (findSecretKey(sight, session, label) === null)
    throw new KeysFailed("device", "The token does not show the key it has just made.")
  return null
}

function template(label: string): pkcs11.Template {
  return [
    { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_SECRET_KEY },
    { type: pkcs11.CKA_KEY_TYPE, value: pkcs11.CKK_AES },
    { type: pkcs11.CKA_VALUE_LEN, value: KEY_BYTES },
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: label },
    { type: pkcs11.CKA_ID, value: keyId(label) },
    { type: pkcs11.CKA_PRIVATE, value: true },
    { type: pkcs11.CKA_SENSITIVE, value: true },
    { type: pkcs11.CKA_EXTRACTABLE, value: false },
    { type: pkcs11.CKA_ENCRYPT, value: true },
    { type: pkcs11.CKA_DECRYPT, value: true },
    // A key that wraps other keys of the token and also decrypts would give them away.
    { type: pkcs11.CKA_WRAP, value: false },
    { type: pkcs11.CKA_UNWRAP, value: false },
    { type: pkcs11.CKA_SIGN, value: false },
    { type: pkcs11.CKA_VERIFY, value: false },
    { type: pkcs11.CKA_DERIVE, value: false },
  ]
}

function findSecretKey(sight: Sight, session: Handle, label: string): Handle | null {
  const { module, secretKeys } = sight
  const seen = secretKeys.get(label)
  if (seen !== undefined) return seen
  const found = findObjects(module, session, { objectClass: pkcs11.CKO_SECRET_KEY, label }, 2)
  const [handle] = found
  if (handle === undefined) return believeMissing(sight, session)
  if (found.length > 1) throw new KeysFailed("several-keys", `The token has two keys labelled ${label}.`)
  mustStayInTheToken(module, session, handle, label)
  return remember(secretKeys, label, handle)
}

/** An operator may have made the key with other tools, or brought it in by a ceremony; but it must not get out. */
function mustStayInTheToken(module: pkcs11.PKCS11, session: Handle, handle: Handle, label: string): void {
  const read = (type: number) => Buffer.from(attribute(module, session, handle, type))
  const isAes256 =
    read(pkcs11.CKA_KEY_TYPE).readUInt32LE() === pkcs11.CKK_AES &&
    read(pkcs11.CKA_VALUE_LEN).readUInt32LE() === KEY_BYTES
  if (!isAes256)
    throw new KeysFailed("wrong-algorithm", `The key labelled ${label} is not an AES key of 256 bits.`)
  if (read(pkcs11.CKA_SENSITIVE)[0] !== 1 || read(pkcs11.CKA_EXTRACTABLE)[0] !== 0)
    throw new KeysFailed("wrong-algorithm", `The key labelled ${label} could be taken out of the token.`)
}
