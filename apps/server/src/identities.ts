import { readFileSync } from "node:fs"
import type { Kind } from "@paraph/core/signature-request/model"
import type { Keys } from "@paraph/gateways/keys"
import { KeysFailed } from "@paraph/gateways/keys-failed"
import { readCertificate } from "@paraph/pki/certificate"
import { certificatesInPem } from "@paraph/pki/pem"
import { encodeSignature, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { openToken, type ServiceCertificate } from "./authority-parts.ts"
import type { Config } from "./config.ts"

/** What the mark will say of the value. */
type BesideTheValue = { readonly certificate: Uint8Array; readonly algorithm: SignatureAlgorithm }

type KeyOf = { readonly kind: Kind; readonly keyLabel?: string }

export type Identities = {
  /** The certificate that signs for that kind today, and the label of its key. */
  readonly of: (kind: Kind) => Promise<ServiceCertificate>
  /** By the service's own key that the certificate is of, or by the one of that label. */
  readonly sign: (key: KeyOf, toBeSigned: Uint8Array, beside: BesideTheValue) => Promise<Uint8Array>
  /** By a signature of the key of today. Each kind by itself: a token of production that is away is nothing to demo signatures. */
  readonly health: (kind: Kind) => Promise<void>
}

/** The tokens that this installation has, each in a process of its own. Demo and production have one each (security, T26). */
export type Tokens = {
  readonly kinds: readonly Kind[]
  readonly of: (kind: Kind) => Keys
  readonly close: () => Promise<void>
}

export function openTokens(config: Config): Tokens {
  const demo = openToken(config, "demo")
  const production = config.PRODUCTION ? openToken(config, "production") : null
  return {
    kinds: production === null ? ["demo"] : ["demo", "production"],
    of: (kind) => {
      if (kind === "demo") return demo
      if (production === null) throw new Error("There is no key for production signatures.")
      return production
    },
    close: async () => void (await Promise.all([demo.close(), production?.close()])),
  }
}

/** What the built-in authority has made for the service of that kind, the newest last; also what has ended. */
export type OfAuthority = (kind: Kind) => Promise<readonly ServiceCertificate[]>

/**
 * The service's own certificates and keys: those of the built-in authority (ADR 0038), which gets itself a new one in time, or
 * one that the operator brought along in a file.
 */
export function createIdentities(config: Config, tokens: Tokens, ofAuthority: OfAuthority): Identities {
  const brought = {
    demo: readBrought(config.DEMO_CERTIFICATE_FILE, config.SERVICE_KEY_LABEL),
    production: readBrought(config.PRODUCTION_CERTIFICATE_FILE, config.SERVICE_KEY_LABEL),
  }
  const all = async (kind: Kind): Promise<readonly ServiceCertificate[]> => {
    const own = brought[kind]
    return own === null ? await ofAuthority(kind) : [own]
  }
  const of = async (kind: Kind): Promise<ServiceCertificate> => {
    const today = (await all(kind)).findLast(({ isOfToday }) => isOfToday)
    if (today === undefined)
      throw new KeysFailed("no-such-key", `There is no certificate for ${kind} signatures: paraph ca init.`)
    return today
  }
  /** It may have got a successor since the mark was prepared; its key is still there. */
  const labelOf = async (kind: Kind, certificate: Uint8Array): Promise<string> => {
    const named = (await all(kind)).find((one) => Buffer.compare(one.certificate, certificate) === 0)
    if (named === undefined)
      throw new KeysFailed("no-such-key", "The certificate that was prepared is not ours any more.")
    return named.keyLabel
  }
  return {
    of,
    sign: async ({ kind, keyLabel }, toBeSigned, { certificate, algorithm }) => {
      const label = keyLabel ?? (await labelOf(kind, certificate))
      const value = await tokens.of(kind).sign(label, toBeSigned, algorithm)
      // The value is kept for good before it is used: one that is wrong must not get that far.
      return encodeSignature(algorithm, readCertificate(certificate).publicKeySpki, toBeSigned, value)
    },
    health: async (kind) => tokens.of(kind).health((await of(kind)).keyLabel),
  }
}

/** PEM: the certificate first, then its issuers. */
function readBrought(file: string, keyLabel: string): ServiceCertificate | null {
  if (file === "") return null
  const [certificate, ...chain] = certificatesInPem(readFileSync(file, "utf8"))
  if (certificate === undefined) throw new Error(`There is no certificate in ${file}.`)
  return { certificate, chain, keyLabel, isOfToday: true }
}
