// For the measurements: a token without anything of ours around it, in a process of its own (PKCS#11 knows one application per
// process). Told a number, it makes that many P-256 pairs in the token, one signature with each, and says what that took. Each
// pair is destroyed in between, outside of the time. Told how many signatures alone, it makes them with one pair.

import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import pkcs11 from "pkcs11js"
import { generation } from "../mechanism.ts"
import type { TokenSettings } from "../protocol.ts"

export type BareWork = { readonly clockMs: number; readonly processorMs: number }

let token: Awaited<ReturnType<typeof open>> | null = null

process.on("message", (message: TokenSettings | number | { readonly signatures: number }) => {
  if (typeof message === "number") process.send?.(pairs(message))
  else if ("signatures" in message) process.send?.(signatures(message.signatures))
  else token = open(message)
})
process.on("disconnect", () => process.exit())

function open({ module: path, tokenLabel, pinFile }: TokenSettings) {
  const module = new pkcs11.PKCS11()
  module.load(path)
  module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
  const isAsked = (slot: pkcs11.Handle) =>
    module.C_GetTokenInfo(slot).label.replace(/[ \0]+$/, "") === tokenLabel
  const slot = module.C_GetSlotList(true).find(isAsked)
  if (slot === undefined) throw new Error(`No token is labelled ${tokenLabel}.`)
  const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
  module.C_Login(session, pkcs11.CKU_USER, readFileSync(pinFile, "utf8").trim())
  return { module, session }
}

const opened = () => {
  if (token === null) throw new Error("No token was named.")
  return token
}

function newPair() {
  const { module, session } = opened()
  const { mechanism, parameters } = generation("P-256")
  const both = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: `bare-${randomBytes(8).toString("hex")}` },
  ]
  return module.C_GenerateKeyPair(
    session,
    mechanism,
    [...both, ...parameters, { type: pkcs11.CKA_VERIFY, value: true }],
    [
      ...both,
      { type: pkcs11.CKA_PRIVATE, value: true },
      { type: pkcs11.CKA_SENSITIVE, value: true },
      { type: pkcs11.CKA_EXTRACTABLE, value: false },
      { type: pkcs11.CKA_SIGN, value: true },
    ],
  )
}

type Pair = ReturnType<typeof newPair>

function signWith({ privateKey }: Pair): void {
  const { module, session } = opened()
  module.C_SignInit(session, { mechanism: pkcs11.CKM_ECDSA }, privateKey)
  module.C_Sign(session, randomBytes(32), Buffer.alloc(64))
}

function destroy({ privateKey, publicKey }: Pair): void {
  const { module, session } = opened()
  for (const handle of [privateKey, publicKey]) module.C_DestroyObject(session, handle)
}

function watched<T>(act: () => T): { readonly done: T; readonly clockMs: number; readonly micros: number } {
  const clock = performance.now()
  const processor = process.cpuUsage()
  const done = act()
  const { user, system } = process.cpuUsage(processor)
  return { done, clockMs: performance.now() - clock, micros: user + system }
}

function pairs(count: number): BareWork {
  let clockMs = 0
  let micros = 0
  for (let n = 0; n < count; n += 1) {
    const each = watched(() => {
      const pair = newPair()
      signWith(pair)
      return pair
    })
    clockMs += each.clockMs
    micros += each.micros
    destroy(each.done)
  }
  return { clockMs: clockMs / count, processorMs: micros / 1000 / count }
}

function signatures(count: number): BareWork {
  const pair = newPair()
  const { clockMs, micros } = watched(() => {
    for (let n = 0; n < count; n += 1) signWith(pair)
  })
  destroy(pair)
  return { clockMs: clockMs / count, processorMs: micros / 1000 / count }
}
