import { readFileSync } from "node:fs"
import pkcs11 from "pkcs11js"
import { KeysFailed } from "./failed.ts"
import { destroy, generate, publicKey, sign } from "./key-pair.ts"
import { anyKey } from "./objects.ts"
import { type Operation, SESSIONS, type TokenSettings } from "./protocol.ts"
import { decrypt, encrypt, generateSecret } from "./secret.ts"
import type { Sight } from "./sight.ts"

type Handle = pkcs11.Handle

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
  const sight: Sight = {
    module,
    privateKeys: new Map(),
    secretKeys: new Map(),
    witness: anyKey(module, first),
    beingMade: new Set(),
  }
  return { run: (operation) => withSession(free, (session) => perform(sight, session, operation)) }
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
async function withSession<T>(free: Handle[], work: (session: Handle) => T | Promise<T>): Promise<T> {
  const session = free.pop()
  if (session === undefined) throw new KeysFailed("busy", "All sessions of the token are in use.")
  try {
    return await work(session)
  } finally {
    free.push(session)
  }
}

function perform(
  sight: Sight,
  session: Handle,
  operation: Operation,
): Promise<Uint8Array | null> | Uint8Array | null {
  switch (operation.type) {
    case "sign":
      return sign(sight, session, operation)
    case "public-key":
      return publicKey(sight, session, operation.label)
    case "generate":
      return generate(sight, session, operation.label, operation.algorithm)
    case "destroy":
      destroy(sight, session, operation.label)
      return null
    case "encrypt":
      return encrypt(sight, session, operation)
    case "decrypt":
      return decrypt(sight, session, operation)
    case "generate-secret":
      return generateSecret(sight, session, operation.label)
    case "ping":
      sight.module.C_GetSessionInfo(session)
      return null
  }
}
