import { hkdfSync } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { LookOwner, LookSealer } from "../postgres/looks.ts"
import type { BusinessKeys } from "./business-keys.ts"

/** What a person signs with, sealed with a key made of the business's and bound to the signature. */
export const createLookSealer = (keys: BusinessKeys): LookSealer => ({
  sealLook: async (of, plain, within) => {
    const { version, key } = await keys.newest(of.businessId, within)
    return { sealed: sealLook(key, of, plain), keyVersion: version }
  },
  openLook: async (of, { sealed, keyVersion }, within) =>
    openLook(await keys.of(of.businessId, keyVersion, within), of, sealed),
})

type Bound = Omit<LookOwner, "businessId">

export const sealLook = (businessKey: Uint8Array, of: Bound, plain: Uint8Array): Buffer =>
  wrapKey(lookKey(businessKey), plain, context(of))

export const openLook = (businessKey: Uint8Array, of: Bound, sealed: Uint8Array): Buffer =>
  unwrapKey(lookKey(businessKey), sealed, context(of))

const context = ({ signatureId, id }: Bound): string => `look ${id} of signature ${signatureId}`

const lookKey = (businessKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", businessKey, "", "paraph signature look", 32))
