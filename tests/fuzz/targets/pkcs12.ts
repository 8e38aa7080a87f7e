// What a person gives to `paraph sign --key`: read or refused by name.

import { readFileSync } from "node:fs"
import { readPkcs12 } from "../../../apps/cli/src/sign/pkcs12.ts"
import { Pkcs12Refused } from "../../../apps/cli/src/sign/pkcs12-refused.ts"
import { must, type Target } from "../target.ts"

const seed = (name: string) => new Uint8Array(readFileSync(new URL(`../seeds/${name}`, import.meta.url)))
const SEEDS = ["pkcs12-aes.p12", "pkcs12-3des.p12", "pkcs12-plain.p12"].map(seed)
/** More are work that the file may ask for; here they would only be slow. */
const ITERATIONS = 1_000

export const pkcs12: Target = {
  name: "pkcs12",
  kind: "der",
  seeds: () => SEEDS,
  refusals: [Pkcs12Refused],
  run: (input) => {
    const { key, certificates } = readPkcs12(input, "open", ITERATIONS)
    must(key.type === "private", "what is answered is a private key")
    for (const certificate of certificates)
      must(certificate.length <= input.length, "a certificate is of the file")
    return `${key.asymmetricKeyType} ${certificates.length}`
  },
}
