import { hkdfSync } from "node:crypto"
import { unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { SecretsSealer } from "../postgres/webhooks.ts"
import type { BusinessKeys } from "./business-keys.ts"

/** The secrets of a webhook, sealed with a key made of its business's and bound to the webhook's id. */
export const createSecretsSealer = (keys: BusinessKeys): SecretsSealer => ({
  sealSecrets: async ({ businessId, id }, secrets, within) => {
    const { version, key } = await keys.newest(businessId, within)
    return { sealed: sealSecrets(key, id, secrets), keyVersion: version }
  },
  openSecrets: async ({ businessId, id }, { sealed, keyVersion }, within) =>
    openSecrets(await keys.of(businessId, keyVersion, within), id, sealed),
})

export const sealSecrets = (businessKey: Uint8Array, webhookId: string, secrets: Uint8Array): Buffer =>
  wrapKey(secretsKey(businessKey), secrets, `webhook ${webhookId}`)

export const openSecrets = (businessKey: Uint8Array, webhookId: string, sealed: Uint8Array): Buffer =>
  unwrapKey(secretsKey(businessKey), sealed, `webhook ${webhookId}`)

const secretsKey = (businessKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", businessKey, "", "paraph webhook secrets", 32))
