// For the tests: loaded into a key process before its own program, it makes SoftHSM2 behave in AES-GCM as some HSMs do.

import pkcs11 from "pkcs11js"

// biome-ignore lint/style/noProcessEnv: a preloaded module has no other way to be told.
const habit = process.env.DEVICE_HABIT
const { C_EncryptInit, C_DecryptInit } = pkcs11.PKCS11.prototype

pkcs11.PKCS11.prototype.C_EncryptInit = function (session, mechanism, key) {
  // AWS CloudHSM makes the IV itself and writes it over the caller's.
  if (habit === "own-iv") gcmOf(mechanism).iv?.write("device's own")
  if (habit === "ignores-context") gcmOf(mechanism).aad = Buffer.alloc(0)
  if (habit === "appends-iv") appendIv(this)
  C_EncryptInit.call(this, session, mechanism, key)
}

pkcs11.PKCS11.prototype.C_DecryptInit = function (session, mechanism, key) {
  if (habit === "ignores-context") gcmOf(mechanism).aad = Buffer.alloc(0)
  C_DecryptInit.call(this, session, mechanism, key)
}

/** Thales Luna in FIPS mode makes an IV of 16 bytes and gives it out after the tag. */
function appendIv(module: pkcs11.PKCS11): void {
  const encrypt = module.C_EncryptAsync.bind(module)
  module.C_EncryptAsync = async (session: pkcs11.Handle, data: Buffer, room: Buffer) =>
    Buffer.concat([await encrypt(session, data, room), Buffer.alloc(16)])
}

function gcmOf(mechanism: pkcs11.Mechanism): pkcs11.AesGCM {
  return mechanism.parameter as pkcs11.AesGCM
}
