import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import { generation, type KeyFamily, makingFor } from "./mechanism.ts"
import { anyPrivateKey, attribute, familyOf, findObject } from "./objects.ts"
import { type KeyAlgorithm, type Operation, SESSIONS, type TokenSettings } from "./protocol.ts"
import { ecPublicKey, rsaPublicKey } from "./signature-value.ts"

type Handle = pkcs11.Handle
type Found = { readonly handle: Handle; readonly family: KeyFamily }
type Open = {
  readonly module: pkcs11.PKCS11
  readonly free: Handle[]
  readonly known: Map<string, Found>
  /** A key that was there when the token was opened; null where it had none. */
  readonly witness: string | null
  readonly beingMade: Set<string>
}

const MAX_KNOWN_KEYS = 10_000

export type Token = { readonly run: (operation: Operation) => Promise<Uint8Array | null> }

/** Opens the token of that label and logs in once; runs in the child process only. */
export function openToken({ module: path, tokenLabel, pinFile }: TokenSettings): Token {
  const module = new pkcs11.PKCS11()
  module.load(path)
  module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
  const slot = module
    .C_GetSlotList(true)
    .find((each) => module.C_GetTokenInfo(each).label.replace(/[ \0]+$/, "") === tokenLabel)
  if (slot === undefined) throw new KeysFailed("device", `No token is labelled ${tokenLabel}.`)
  const flags = pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION
  const free = Array.from({ length: SESSIONS }, () => module.C_OpenSession(slot, flags))
  const [first] = free
  if (first === undefined) throw new KeysFailed("device", "The token gave no session.")
  logIn(module, first, readFileSync(pinFile, "utf8").trim())
  const witness = anyPrivateKey(module, first)
  const open: Open = { module, free, known: new Map(), witness, beingMade: new Set() }
  return { run: (operation) => withSession(open, (session) => perform(open, session, operation)) }
}

function logIn(module: pkcs11.PKCS11, session: Handle, pin: string): void {
  try {
    module.C_Login(session, pkcs11.CKU_USER, pin)
  } catch (error) {
    const code = error instanceof pkcs11.Pkcs11Error ? error.code : 0
    if (code === pkcs11.CKR_USER_ALREADY_LOGGED_IN) return
    if ([pkcs11.CKR_PIN_INCORRECT, pkcs11.CKR_PIN_LOCKED, pkcs11.CKR_PIN_INVALID].includes(code))
      throw new KeysFailed("pin", "The token did not accept the PIN.")
    throw error
  }
}

/** A second operation on a busy session is CKR_OPERATION_ACTIVE; the parent never asks for more than there are. */
async function withSession<T>(open: Open, work: (session: Handle) => T | Promise<T>): Promise<T> {
  const session = open.free.pop()
  if (session === undefined) throw new KeysFailed("busy", "All sessions of the token are in use.")
  try {
    return await work(session)
  } finally {
    open.free.push(session)
  }
}

function perform(
  open: Open,
  session: Handle,
  operation: Operation,
): Promise<Uint8Array | null> | Uint8Array | null {
  switch (operation.type) {
    case "sign":
      return sign(open, session, operation)
    case "public-key":
      return publicKey(open, session, operation.label)
    case "generate":
      return generate(open, session, operation.label, operation.algorithm)
    case "ping":
      open.module.C_GetSessionInfo(session)
      return null
  }
}

async function sign(
  open: Open,
  session: Handle,
  { label, digests, algorithm }: Operation & { type: "sign" },
): Promise<Uint8Array> {
  const key = findPrivateKey(open, session, label)
  if (key === null) throw new KeysFailed("no-such-key", `The token has no key labelled ${label}.`)
  const making = makingFor(key.family, algorithm)
  open.module.C_SignInit(session, making.mechanism, key.handle)
  const input = making.input(digests[making.digest])
  return making.value(await open.module.C_SignAsync(session, input, Buffer.alloc(1024)))
}

function publicKey(open: Open, session: Handle, label: string): Uint8Array | null {
  const { module } = open
  // The private key is looked for first, because that notices a session that has lost sight of the token.
  if (findPrivateKey(open, session, label) === null) return null
  const handle = findObject(module, session, pkcs11.CKO_PUBLIC_KEY, label)
  if (handle === null) throw new KeysFailed("device", `The token has no public key labelled ${label}.`)
  const read = (type: number) => attribute(module, session, handle, type)
  const family = familyOf(module, session, handle)
  if (family === "RSA") return rsaPublicKey(read(pkcs11.CKA_MODULUS), read(pkcs11.CKA_PUBLIC_EXPONENT))
  return ecPublicKey(family, read(pkcs11.CKA_EC_POINT))
}

async function generate(
  open: Open,
  session: Handle,
  label: string,
  algorithm: KeyAlgorithm,
): Promise<Uint8Array> {
  if (open.beingMade.has(label) || findPrivateKey(open, session, label) !== null)
    throw new KeysFailed("label-taken", `The token already has a key labelled ${label}.`)
  open.beingMade.add(label)
  try {
    const { mechanism, publicTemplate, privateTemplate } = templates(label, algorithm)
    await open.module.C_GenerateKeyPairAsync(session, mechanism, publicTemplate, privateTemplate)
  } finally {
    open.beingMade.delete(label)
  }
  const made = publicKey(open, session, label)
  if (made === null) throw new KeysFailed("device", "The token does not show the key it has just made.")
  return made
}

function templates(label: string, algorithm: KeyAlgorithm) {
  const id = createHash("sha256").update(label).digest().subarray(0, 20)
  const both = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: label },
    { type: pkcs11.CKA_ID, value: id },
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
      ...(algorithm.startsWith("P-") ? [{ type: pkcs11.CKA_DERIVE, value: false }] : []),
    ],
  }
}

/**
 * A session that outlived the loss of its token finds no keys, without any error. So before "there is no such
 * key" is believed, a key that this process has seen before must still be there.
 */
function findPrivateKey({ module, known, witness }: Open, session: Handle, label: string): Found | null {
  const seen = known.get(label)
  if (seen !== undefined) return seen
  const handle = findObject(module, session, pkcs11.CKO_PRIVATE_KEY, label)
  if (handle === null) {
    const proof = witness ?? known.keys().next().value ?? null
    if (proof !== null && findObject(module, session, pkcs11.CKO_PRIVATE_KEY, proof) === null)
      throw new KeysFailed("device", "The session has lost sight of the token.")
    return null
  }
  if (known.size >= MAX_KNOWN_KEYS) known.clear()
  const found = { handle, family: familyOf(module, session, handle) }
  known.set(label, found)
  return found
}
