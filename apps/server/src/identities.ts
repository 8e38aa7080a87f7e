import { readFileSync } from "node:fs"
import type { Kind } from "@paraph/core/signature-request/model"
import { type Keys, startKeys } from "@paraph/gateways/keys"
import { readCertificate } from "@paraph/pki/certificate"
import { certificatesInPem } from "@paraph/pki/pem"
import { encodeSignature, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { Config } from "./config.ts"

/** The service's own certificate and key of one kind. Demo and production have a token each (security, T26). */
type Identity = {
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
  readonly keys: Keys
}

/** What the mark will say of the value. */
type BesideTheValue = { readonly certificate: Uint8Array; readonly algorithm: SignatureAlgorithm }

type KeyOf = { readonly kind: Kind; readonly keyLabel?: string }

export type Identities = {
  readonly of: (kind: Kind) => Identity
  /** By the service's own key, or by the one of that label. */
  readonly sign: (key: KeyOf, toBeSigned: Uint8Array, beside: BesideTheValue) => Promise<Uint8Array>
  readonly health: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function createIdentities(config: Config): Promise<Identities> {
  const label = config.SERVICE_KEY_LABEL
  const env = config.SOFTHSM2_CONF === "" ? {} : { SOFTHSM2_CONF: config.SOFTHSM2_CONF }
  const identity = (tokenLabel: string, pinFile: string, certificateFile: string): Identity => ({
    ...readCertificates(certificateFile),
    keys: startKeys({ module: config.PKCS11_MODULE, tokenLabel, pinFile, env }),
  })
  const demo = identity(config.PKCS11_DEMO_TOKEN, config.PKCS11_DEMO_PIN_FILE, config.DEMO_CERTIFICATE_FILE)
  const production = config.PRODUCTION
    ? identity(
        config.PKCS11_PRODUCTION_TOKEN,
        config.PKCS11_PRODUCTION_PIN_FILE,
        config.PRODUCTION_CERTIFICATE_FILE,
      )
    : null
  const all = production === null ? [demo] : [demo, production]
  const of = (kind: Kind): Identity => {
    if (kind === "demo") return demo
    if (production === null) throw new Error("There is no key for production signatures.")
    return production
  }
  return {
    of,
    sign: async ({ kind, keyLabel = label }, toBeSigned, { certificate, algorithm }) => {
      const value = await of(kind).keys.sign(keyLabel, toBeSigned, algorithm)
      // The value is kept for good before it is used: one that is wrong must not get that far.
      return encodeSignature(algorithm, readCertificate(certificate).publicKeySpki, toBeSigned, value)
    },
    health: async () => void (await Promise.all(all.map(({ keys }) => keys.health(label)))),
    close: async () => void (await Promise.all(all.map(({ keys }) => keys.close()))),
  }
}

/** PEM: the certificate first, then its issuers. */
function readCertificates(file: string): Omit<Identity, "keys"> {
  const [certificate, ...chain] = certificatesInPem(readFileSync(file, "utf8"))
  if (certificate === undefined) throw new Error(`There is no certificate in ${file}.`)
  return { certificate, chain }
}
