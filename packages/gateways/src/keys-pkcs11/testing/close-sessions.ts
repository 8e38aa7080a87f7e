// For the tests: loaded into a key process before its own program. At SIGUSR2 all of its sessions are closed behind its
// back, as a device does that was reset. PKCS#11 knows one application per process, so this module is the child's own.

import pkcs11 from "pkcs11js"

process.on("SIGUSR2", () => {
  const module = new pkcs11.PKCS11()
  // biome-ignore lint/style/noProcessEnv: a preloaded module has no other way to be told.
  module.load(process.env.CLOSE_SESSIONS_OF ?? "")
  for (const slot of module.C_GetSlotList(true)) module.C_CloseAllSessions(slot)
})
