// For the tests: a program that holds the PIN and tries, past our own code, to get every private or secret key out of a token.

import pkcs11 from "pkcs11js"

const [modulePath = "", tokenLabel = "", pin = ""] = process.argv.slice(2)
const module = new pkcs11.PKCS11()
module.load(modulePath)
module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
const slot = module
  .C_GetSlotList(true)
  .find((each) => module.C_GetTokenInfo(each).label.replace(/[ \0]+$/, "") === tokenLabel)
if (slot === undefined) throw new Error("There is no such token.")
const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
module.C_Login(session, pkcs11.CKU_USER, pin)
const wrappingKey = makeWrappingKey()

const handles = [...find(pkcs11.CKO_PRIVATE_KEY), ...find(pkcs11.CKO_SECRET_KEY)]
const keys = handles.map((handle) => ({ ...attemptsOn(handle), ...whatItSays(handle) }))
const control = {
  wrapped: attempt(() => wrap(makeExtractableKey())),
  wrappedSecret: attempt(() => wrap(makeWrappingKey({ extractable: true }))),
}
process.stdout.write(JSON.stringify({ keys, control }))

function find(objectClass: number): pkcs11.Handle[] {
  module.C_FindObjectsInit(session, [
    { type: pkcs11.CKA_CLASS, value: objectClass },
    { type: pkcs11.CKA_TOKEN, value: true },
  ])
  const found = module.C_FindObjects(session, 100)
  module.C_FindObjectsFinal(session)
  return found
}

function attemptsOn(handle: pkcs11.Handle) {
  const read = (type: number) => attempt(() => get(handle, type).toString("hex"))
  const set = (type: number, value: boolean) =>
    attempt(() => module.C_SetAttributeValue(session, handle, [{ type, value }]))
  const isRsa = get(handle, pkcs11.CKA_KEY_TYPE).readUInt32LE() === pkcs11.CKK_RSA
  const secrets = isRsa
    ? [pkcs11.CKA_PRIVATE_EXPONENT, pkcs11.CKA_PRIME_1, pkcs11.CKA_PRIME_2, pkcs11.CKA_COEFFICIENT]
    : [pkcs11.CKA_VALUE]
  return {
    read: secrets.map(read),
    wrapped: attempt(() => wrap(handle)),
    madeExtractable: set(pkcs11.CKA_EXTRACTABLE, true),
    madeReadable: set(pkcs11.CKA_SENSITIVE, false),
    copied: attempt(() =>
      module.C_CopyObject(session, handle, [
        { type: pkcs11.CKA_SENSITIVE, value: false },
        { type: pkcs11.CKA_EXTRACTABLE, value: true },
        { type: pkcs11.CKA_TOKEN, value: false },
      ]),
    ),
  }
}

/** Read last: what was tried before must not have changed it. */
function whatItSays(handle: pkcs11.Handle) {
  const is = (type: number) => get(handle, type)[0] === 1
  const isSecret = get(handle, pkcs11.CKA_CLASS).readUInt32LE() === pkcs11.CKO_SECRET_KEY
  return {
    label: get(handle, pkcs11.CKA_LABEL).toString(),
    sensitive: is(pkcs11.CKA_SENSITIVE),
    alwaysSensitive: is(pkcs11.CKA_ALWAYS_SENSITIVE),
    extractable: is(pkcs11.CKA_EXTRACTABLE),
    neverExtractable: is(pkcs11.CKA_NEVER_EXTRACTABLE),
    local: is(pkcs11.CKA_LOCAL),
    signs: is(pkcs11.CKA_SIGN),
    decrypts: is(pkcs11.CKA_DECRYPT),
    unwraps: is(pkcs11.CKA_UNWRAP),
    derives: is(pkcs11.CKA_DERIVE),
    ...(isSecret ? { encrypts: is(pkcs11.CKA_ENCRYPT), wraps: is(pkcs11.CKA_WRAP) } : {}),
  }
}

function makeWrappingKey({ extractable } = { extractable: false }): pkcs11.Handle {
  return module.C_GenerateKey(session, { mechanism: pkcs11.CKM_AES_KEY_GEN }, [
    { type: pkcs11.CKA_VALUE_LEN, value: 32 },
    { type: pkcs11.CKA_TOKEN, value: false },
    { type: pkcs11.CKA_WRAP, value: true },
    { type: pkcs11.CKA_EXTRACTABLE, value: extractable },
  ])
}

/** A key that may leave shows that the wrapping itself works, and that it is the key that refuses. */
function makeExtractableKey(): pkcs11.Handle {
  const curve = Buffer.from("06082a8648ce3d030107", "hex")
  const { privateKey } = module.C_GenerateKeyPair(
    session,
    { mechanism: pkcs11.CKM_EC_KEY_PAIR_GEN },
    [{ type: pkcs11.CKA_EC_PARAMS, value: curve }],
    [
      { type: pkcs11.CKA_TOKEN, value: false },
      { type: pkcs11.CKA_EXTRACTABLE, value: true },
    ],
  )
  return privateKey
}

function wrap(handle: pkcs11.Handle): void {
  const mechanism = { mechanism: pkcs11.CKM_AES_KEY_WRAP_PAD }
  module.C_WrapKey(session, mechanism, wrappingKey, handle, Buffer.alloc(8192))
}

function get(handle: pkcs11.Handle, type: number): Buffer {
  return module.C_GetAttributeValue(session, handle, [{ type }])[0]?.value as Buffer
}

function attempt(deed: () => unknown): string {
  try {
    deed()
    return "done"
  } catch (error) {
    return error instanceof Error ? error.message : "unknown"
  }
}
