import { hkdfSync } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { ResultSealer } from "../postgres/validations.ts"
import type { BusinessKeys } from "./business-keys.ts"

/** Results of validations and their pictures, sealed with a key made of the business's; each is bound to where it belongs. */
export const createResultSealer = (keys: BusinessKeys): ResultSealer => ({
  sealResult: async ({ businessId, id }, within) => {
    const { version, key } = await keys.newest(businessId, within)
    return { keyVersion: version, seal: (part, plain) => wrapKey(resultKey(key), plain, context(id, part)) }
  },
  openResult: async ({ businessId, id }, part, { sealed, keyVersion }, within) =>
    unwrapKey(resultKey(await keys.of(businessId, keyVersion, within)), sealed, context(id, part)),
})

const context = (id: string, part: string): string => `${part} of validation ${id}`

const resultKey = (businessKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", businessKey, "", "paraph validation result", 32))
