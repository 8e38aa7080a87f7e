import { createPublicKey } from "node:crypto"
import { readFileSync } from "node:fs"
import type { AskProvider, FetchEvidence, IdentityProvider } from "@paraph/core/identification/ports"
import { LIMITS } from "@paraph/core/limits"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import { createIdentityProviders, type IdentityProviderSettings } from "@paraph/gateways/identification"
import { IdentificationFailed } from "@paraph/gateways/identification-failed"
import { readIdentificationProviders } from "@paraph/gateways/identification-providers-file"
import type { Outbound } from "@paraph/gateways/outbound"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import * as rows from "@paraph/store/postgres/identifications"
import { type Config, ConfigFaults } from "./config.ts"
import { createEvidenceTokens } from "./evidence-tokens.ts"
import type { Logger } from "./telemetry/logs.ts"

type Around = {
  readonly outbound: Outbound
  readonly db: ServiceDatabase
  readonly now: Clock
  readonly log: Logger
}

/** What stands behind identification on the way to signing (ADR 0044). */
export function identificationParts(config: Config, { outbound, db, now, log }: Around) {
  const registry = readRegistry(config)
  const gateway = createIdentityProviders(outbound)
  const settingsOf = (name: string, kind?: IdentityProvider["kind"]): IdentityProviderSettings => {
    const found = registry.find((one) => one.name === name && (kind === undefined || one.kind === kind))
    if (found === undefined) throw new Error(`The registry has no provider "${name}".`)
    return found
  }
  /** What it said counts, or does not; whatever is wrong is told in the log, where an operator finds it. */
  const judged = async <T>(provider: string, work: () => Promise<T>): Promise<T | "invalid"> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof IdentificationFailed)) throw error
      if (error.code === "unreachable") throw unreachable(error)
      log.warn({ error, provider }, "identity provider was not believed")
      return "invalid"
    }
  }
  const askProvider: AskProvider = (provider, kind, tokens) =>
    judged(provider, () => gateway.ask(settingsOf(provider, kind), tokens))
  const fetchEvidence: FetchEvidence = (provider, file) =>
    judged(provider, () => gateway.fetchEvidence(file, LIMITS.evidenceFileBytes))
  const waySince = () => new Date(now().getTime() - LIMITS.identificationWayMs)
  return {
    identificationProviders: config.IDENTIFICATION_PROVIDERS,
    identityProviders: registry as readonly IdentityProvider[],
    identityProviderOf: settingsOf,
    identityGateway: gateway,
    askProvider,
    fetchEvidence,
    /** One for each provider, and of each kind: what comes back there is known to come from it (RFC 9700, 4.4.2.2). */
    identifyCallback: ({ name, kind }: Pick<IdentityProvider, "name" | "kind">) =>
      `${config.PUBLIC_URL}/identify/callback/${kind}/${name}`,
    insertWay: (way: rows.IdentificationWay, of: Parameters<typeof rows.insertWay>[2]) =>
      rows.insertWay(db, way, of, now()),
    takeWay: (way: rows.IdentificationWay, provider: string) => rows.takeWay(db, way, provider, waySince()),
    claimReviews: (limit: number) =>
      rows.claimReviews(db, now(), {
        againAt: new Date(now().getTime() + LIMITS.identificationAskMaxMs),
        limit,
      }),
    evidenceTokens: createEvidenceTokens({
      privateKeyPem: config.EVIDENCE_KEY,
      fallbackPem: config.TOKEN_KEY,
      earlierPublicPems: publicKeysIn(config.EVIDENCE_PUBLIC_KEYS_FILE),
      publicUrl: config.PUBLIC_URL,
      now,
    }),
  }
}

function publicKeysIn(file: string): readonly string[] {
  if (file === "") return []
  const found =
    readFileSync(file, "utf8").match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []
  if (found.length === 0 || !found.every((pem) => createPublicKey(pem).asymmetricKeyType === "ed25519"))
    throw new Error(`EVIDENCE_PUBLIC_KEYS_FILE: expected Ed25519 public keys in PEM in ${file}.`)
  return found
}

function readRegistry(config: Config): readonly IdentityProviderSettings[] {
  const { IDENTIFICATION_REGISTRY_FILE: file, IDENTIFICATION_ALLOWED_HOSTS: hosts } = config
  if (file === "") return []
  const { providers, faults } = readIdentificationProviders(file, hosts)
  if (faults.length > 0) throw new ConfigFaults(faults)
  return providers
}

export const unreachable = (cause: IdentificationFailed): Refusal =>
  new Refusal("part-down", cause.message, { cause, retryAfterSeconds: 30 })
