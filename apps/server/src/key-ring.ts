import { openKeyEncryption } from "@paraph/gateways/key-encryption"
import { type KeyProcess, startKeyProcess } from "@paraph/gateways/key-process"
import type { Isolation } from "@paraph/gateways/key-process-isolation"
import type { KeySource } from "@paraph/gateways/key-process-protocol"
import { createKeyRing, type KeyRing } from "@paraph/gateways/key-ring"
import { createOutbound } from "@paraph/gateways/outbound"
import type { Config } from "./config.ts"

/**
 * The operator's key as the configuration names it, with those that were in use before (ADR 0018). Keys in files are read by a
 * process of their own, and never by this one (ADR 0095).
 */
export async function openKeyRing(config: Config): Promise<KeyRing> {
  const files = await openFiles(config)
  const earlier = [
    ...(files?.earlier ?? []),
    ...config.PKCS11_KEK_EARLIER_LABELS.map((label) => openKeyEncryption(inToken(config, label))),
    ...config.TRANSIT_EARLIER_KEYS.map((key) => openKeyEncryption(inTransit(config, key))),
  ]
  return createKeyRing(files?.current ?? openCurrent(config), earlier)
}

/** What the system takes from the process that holds the keys in files; null where no key is in a file. */
export async function keyProcessIsolation(config: Config): Promise<Isolation | null> {
  const files = await openFiles(config)
  if (files === null) return null
  const isolation = files.isolation()
  await Promise.all([files.current, ...files.earlier].map((each) => each?.close()))
  return isolation
}

async function openFiles(config: Config): Promise<KeyProcess | null> {
  const { KEK, KEK_FILE, KEK_EARLIER, KEK_EARLIER_FILE, KEK_PROVIDER } = config
  const current = KEK_PROVIDER === "file" ? sourceOf(KEK === "" ? [] : [KEK], KEK_FILE) : null
  const earlier = sourceOf(KEK_EARLIER, KEK_EARLIER_FILE)
  return current === null && earlier === null ? null : startKeyProcess({ current, earlier })
}

function sourceOf(hex: readonly string[], file: string): KeySource | null {
  if (hex.length > 0) return { hex }
  return file === "" ? null : { file }
}

function openCurrent(config: Config) {
  switch (config.KEK_PROVIDER) {
    case "file":
      throw new Error("KEK_FILE must be given with KEK_PROVIDER file.")
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
