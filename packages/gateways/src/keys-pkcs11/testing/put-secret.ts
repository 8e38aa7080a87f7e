// For the tests: a program that puts a secret key of a known value into a token, as an operator's own tools could.

import pkcs11 from "pkcs11js"

const [modulePath = "", tokenLabel = "", pin = "", label = "", value = "", extractable = ""] =
  process.argv.slice(2)
const module = new pkcs11.PKCS11()
module.load(modulePath)
module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
const slot = module
  .C_GetSlotList(true)
  .find((each) => module.C_GetTokenInfo(each).label.replace(/[ \0]+$/, "") === tokenLabel)
if (slot === undefined) throw new Error("There is no such token.")
const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION)
module.C_Login(session, pkcs11.CKU_USER, pin)
module.C_CreateObject(session, [
  { type: pkcs11.CKA_CLASS, value: pkcs11.CKO_SECRET_KEY },
  { type: pkcs11.CKA_KEY_TYPE, value: pkcs11.CKK_AES },
  { type: pkcs11.CKA_VALUE, value: Buffer.from(value, "hex") },
  { type: pkcs11.CKA_TOKEN, value: true },
  { type: pkcs11.CKA_PRIVATE, value: true },
  { type: pkcs11.CKA_LABEL, value: label },
  { type: pkcs11.CKA_SENSITIVE, value: true },
  { type: pkcs11.CKA_EXTRACTABLE, value: extractable === "extractable" },
  { type: pkcs11.CKA_ENCRYPT, value: true },
  { type: pkcs11.CKA_DECRYPT, value: true },
])
