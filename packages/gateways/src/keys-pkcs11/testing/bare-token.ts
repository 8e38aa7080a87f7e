// For the measurements: a token without anything of ours around it, in a process of its own (PKCS#11 knows one application per
// process). Told a number, it makes that many P-256 pairs in the token, one signature with each, and says what that took. Each
// pair is destroyed in between, outside of the time.

import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import pkcs11 from "pkcs11js"
import { generation } from "../mechanism.ts"
import type { TokenSettings } from "../protocol.ts"

export type BareWork = { readonly clockMs: number; readonly processorMs: number }

let token: Awaited<ReturnType<typeof open>> | null = null

process.on("message", (message: TokenSettings | number) => {
  if (typeof message !== "number") {
    token = open(message)
    return
  }
  process.send?.(pairs(message))
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

function pairs(count: number): BareWork {
  if (token === null) throw new Error("No token was named.")
  const { module, session } = token
  const { mechanism, parameters } = generation("P-256")
  let clockMs = 0
  let micros = 0
  for (let n = 0; n < count; n += 1) {
    const both = [
      { type: pkcs11.CKA_TOKEN, value: true },
      { type: pkcs11.CKA_LABEL, value: `bare-${randomBytes(8).toString("hex")}` },
    ]
    const clock = performance.now()
    const processor = process.cpuUsage()
    const pair = module.C_GenerateKeyPair(
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
    module.C_SignInit(session, { mechanism: pkcs11.CKM_ECDSA }, pair.privateKey)
    module.C_Sign(session, randomBytes(32), Buffer.alloc(64))
    clockMs += performance.now() - clock
    const { user, system } = process.cpuUsage(processor)
    micros += user + system
    for (const handle of [pair.privateKey, pair.publicKey]) module.C_DestroyObject(session, handle)
  }
  return { clockMs: clockMs / count, processorMs: micros / 1000 / count }
}
