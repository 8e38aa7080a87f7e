import { openKeyEncryption } from "@paraph/gateways/key-encryption"
import { createKeyRing, type KeyRing } from "@paraph/gateways/key-ring"
import { createOutbound } from "@paraph/gateways/outbound"
import type { Config } from "./config.ts"

/** The operator's key as the configuration names it, with those that were in use before (ADR 0018). */
export function openKeyRing(config: Config): KeyRing {
  const earlier = [
    ...config.KEK_EARLIER.map((key) => openKeyEncryption({ type: "file", key })),
    ...config.PKCS11_KEK_EARLIER_LABELS.map((label) => openKeyEncryption(inToken(config, label))),
    ...config.TRANSIT_EARLIER_KEYS.map((key) => openKeyEncryption(inTransit(config, key))),
  ]
  return createKeyRing(openCurrent(config), earlier)
}

function openCurrent(config: Config) {
  switch (config.KEK_PROVIDER) {
    case "file":
      return openKeyEncryption({ type: "file", key: config.KEK })
    case "pkcs11":
      return openKeyEncryption(inToken(config, config.PKCS11_KEK_LABEL))
    case "transit":
      return openKeyEncryption(inTransit(config, config.TRANSIT_KEY))
  }
}

const inTransit = (config: Config, key: string) => ({
  type: "transit" as const,
  address: config.TRANSIT_URL,
  mount: config.TRANSIT_MOUNT,
  key,
  tokenFile: config.TRANSIT_TOKEN_FILE,
  outbound: createOutbound({
    // The operator has named this host by naming the address, and it is reached without the proxy.
    allowedHosts: { keys: [new URL(config.TRANSIT_URL).host] },
    ...(config.OUTBOUND_CA_FILE !== "" && { caFile: config.OUTBOUND_CA_FILE }),
  }),
})

const inToken = (config: Config, label: string) => ({
  type: "pkcs11" as const,
  module: config.PKCS11_MODULE,
  tokenLabel: config.PKCS11_KEK_TOKEN,
  pinFile: config.PKCS11_KEK_PIN_FILE,
  env: config.SOFTHSM2_CONF === "" ? {} : { SOFTHSM2_CONF: config.SOFTHSM2_CONF },
  label,
})
