// For the tests: a program that tries to read every private key of a SoftHSM token, past our own code.

import pkcs11 from "pkcs11js"

const [modulePath = "", pin = ""] = process.argv.slice(2)
const module = new pkcs11.PKCS11()
module.load(modulePath)
module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })
const slot = module.C_GetSlotList(true).find((each) => module.C_GetTokenInfo(each).label.startsWith("paraph"))
if (slot === undefined) throw new Error("There is no such token.")
const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION)
module.C_Login(session, pkcs11.CKU_USER, pin)
module.C_FindObjectsInit(session, [{ type: pkcs11.CKA_CLASS, value: pkcs11.CKO_PRIVATE_KEY }])
const handles = module.C_FindObjects(session, 100)
module.C_FindObjectsFinal(session)

const read = handles.map((handle) => {
  const get = (type: number) => module.C_GetAttributeValue(session, handle, [{ type }])[0]?.value as Buffer
  const isEc = get(pkcs11.CKA_KEY_TYPE).readUInt32LE() === pkcs11.CKK_EC
  return {
    label: get(pkcs11.CKA_LABEL).toString(),
    value: attempt(() => get(isEc ? pkcs11.CKA_VALUE : pkcs11.CKA_PRIVATE_EXPONENT).toString("hex")),
    sensitive: get(pkcs11.CKA_SENSITIVE)[0] === 1,
    extractable: get(pkcs11.CKA_EXTRACTABLE)[0] === 1,
  }
})
process.stdout.write(JSON.stringify(read))

function attempt(work: () => string): string {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error.message : "unknown"
  }
}
