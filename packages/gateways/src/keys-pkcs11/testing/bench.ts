// How many signatures a token gives through the whole pool: hash, child process, sessions, and back.

import { startKeys } from "../keys.ts"
import type { KeyAlgorithm } from "../protocol.ts"
import { makeSofthsmToken } from "./softhsm-token.ts"

const MS = 2000
const AT_ONCE = 16

const token = makeSofthsmToken()
const keys = startKeys(token.settings)
for (const kind of ["P-256", "P-384", "RSA-2048", "RSA-3072", "RSA-4096"] satisfies KeyAlgorithm[]) {
  await keys.generate(kind, kind)
  const figure = await perSecond(() => keys.sign(kind, Buffer.from("what is to be signed")))
  process.stdout.write(`${kind.padEnd(10)}${figure.toFixed(0).padStart(8)} signatures a second\n`)
}
await keys.close()
token.remove()

async function perSecond(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let done = 0
  const lane = async () => {
    while (performance.now() - start < MS) {
      await act()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return (done * 1000) / (performance.now() - start)
}
