import { LIMITS } from "@paraph/core/limits"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import type {
  RemoteCredential,
  RemoteProblem,
  RemoteProvider,
  RemoteToken,
} from "@paraph/core/remote-key/model"
import type { FindCredentials, RemoteWay, SignRemotely } from "@paraph/core/remote-key/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import {
  type CscAlgorithm,
  type CscCredential,
  type CscProvider,
  type CscToken,
  createCscProvider,
  type UnusableCredential,
} from "@paraph/gateways/csc"
import { CscFailed, isWorthRepeating } from "@paraph/gateways/csc-failed"
import { type RemoteProviderSettings, readProvidersFile } from "@paraph/gateways/csc-providers-file"
import type { Outbound } from "@paraph/gateways/outbound"
import { readCertificate } from "@paraph/pki/certificate"
import { attributesOf } from "@paraph/pki/name"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { insertRemoteWay, takeRemoteWay } from "@paraph/store/postgres/remote-signings"
import { type Config, ConfigFaults } from "./config.ts"
import type { Logger } from "./telemetry/logs.ts"

type Around = {
  readonly outbound: Outbound
  readonly db: ServiceDatabase
  readonly now: Clock
  readonly log: Logger
}

/** What stands behind keys that lie at a provider: who there is, the way there, and back (ADR 0046). */
export function remoteKeyParts(config: Config, { outbound, db, now, log }: Around) {
  const settings = readProviders(config)
  const providers = settings.map((one) => createCscProvider(one, { outbound, now }))
  const waySince = () => new Date(now().getTime() - LIMITS.providerTurnAloneMs)
  return {
    remoteProviders: settings.map(({ name, title, kind, legislation }): RemoteProvider => {
      return { name, title, kind, legislation }
    }),
    remoteProviderOf: (name: string, kind: Kind): CscProvider => {
      const found = providers.find((one) => one.name === name && one.kind === kind)
      if (found === undefined) throw new Error(`There is no provider "${name}" for ${kind} signatures.`)
      return found
    },
    /** One for each provider: what comes back there is known to come from it (RFC 9700, 4.4.2.2). */
    remoteCallback: (name: string) => `${config.PUBLIC_URL}/qes/${name}/callback`,
    /** DER: what signatures by these providers are traced back to. */
    remoteAnchors: (kind: Kind): readonly Uint8Array[] =>
      settings.filter((one) => one.kind === kind).flatMap(({ anchors }) => anchors.map(({ der }) => der)),
    insertRemoteWay: (way: RemoteWay, of: Parameters<typeof insertRemoteWay>[2]) =>
      insertRemoteWay(db, way, of, now()),
    takeRemoteWay: (way: RemoteWay, provider: string) => takeRemoteWay(db, way, provider, waySince()),
    /** What a failure means to the person; whatever an operator should see is in the log. */
    remoteProblem: (provider: string, error: unknown): RemoteProblem => {
      if (!(error instanceof CscFailed)) throw error
      if (!OF_THE_PERSON.includes(error.code))
        log.warn({ error, provider }, "provider of qualified signatures")
      return PROBLEMS[error.code]
    },
  }
}

export type RemoteKeyRows = ReturnType<typeof remoteKeyParts>

const OF_THE_PERSON: readonly CscFailed["code"][] = ["refused", "expired", "wrong-factor"]

const PROBLEMS = {
  unreachable: "unreachable",
  "rate-limited": "unreachable",
  refused: "refused",
  expired: "expired",
  "wrong-factor": "refused",
  "credential-unusable": "not-usable",
  "invalid-answer": "failed",
  "for-good": "failed",
} as const satisfies Record<CscFailed["code"], RemoteProblem>

/** Every fault of the file is told, and none is passed over. */
export function readProviders(config: Config): readonly RemoteProviderSettings[] {
  const { QES_PROVIDERS_FILE: file, QES_ALLOWED_HOSTS: hosts, PRODUCTION_QUALITIES } = config
  const { providers, faults } = file === "" ? NOBODY : readProvidersFile(file, hosts)
  const isMissing = PRODUCTION_QUALITIES.includes("QES") && !providers.some((p) => p.kind === "production")
  const all = isMissing
    ? [...faults, "PRODUCTION_QUALITIES has QES, and QES_PROVIDERS_FILE no provider for production."]
    : faults
  if (all.length > 0) throw new ConfigFaults(all)
  return providers
}

const NOBODY = { providers: [], faults: [] } as const

/** Whether nobody has revoked it; rejects where nobody says so. */
type IsRevoked = (kind: Kind, certificate: Uint8Array, chain: readonly Uint8Array[]) => Promise<boolean>

/** What only a worker asks of a provider. */
export function remoteSigningParts(
  { remoteProviderOf, remoteProblem }: Pick<RemoteKeyRows, "remoteProviderOf" | "remoteProblem">,
  isRevoked: IsRevoked,
): { readonly findCredentials: FindCredentials; readonly signRemotely: SignRemotely } {
  return {
    findCredentials: async (name, kind, { accessToken, credentialId }) => {
      const found = await remoteProviderOf(name, kind)
        .credentials(accessToken)
        .catch((error: unknown) => {
          if (error instanceof CscFailed && isWorthRepeating(error)) throw lacking(error)
          return remoteProblem(name, error)
        })
      if (typeof found === "string") return found
      const isChosen = ({ id }: CscCredential) => credentialId === null || id === credentialId
      const good: RemoteCredential[] = []
      for (const credential of found.usable.filter(isChosen)) {
        const [algorithm] = credential.algorithms
        // What a person types for a provider does not pass through us.
        if (algorithm === undefined || credential.release.mode !== "oauth2code") continue
        if (!(await isRevoked(kind, credential.certificate, credential.chain)))
          good.push(credentialOf(credential, algorithm))
      }
      return good.length > 0 ? good : reasonOf(found.usable, found.unusable)
    },
    signRemotely: async ({ provider: name, kind, token, responseId, toBeSigned, ...asked }) => {
      const provider = remoteProviderOf(name, kind)
      const signing = {
        ...{ credentialId: asked.credentialId, certificate: asked.certificate, reference: asked.reference },
        accessToken: token.accessToken,
        algorithm: asked.algorithm as CscAlgorithm,
        toBeSigned: toBeSigned.map((base64) => Buffer.from(base64, "base64")),
      }
      try {
        if (responseId !== null) return await provider.signPolling(signing, responseId)
        // In the background where that is offered: then an answer that is lost can be asked for again.
        const { isAsynchronous: asynchronous } = await provider.info()
        return await provider.signHash({ ...signing, asynchronous })
      } catch (error) {
        const isOpen = error instanceof CscFailed && (isWorthRepeating(error) || error.mayHaveSigned)
        if (isOpen) return { state: "later", mayHaveSigned: error.mayHaveSigned }
        return { state: "no", problem: remoteProblem(name, error) }
      }
    },
  }
}

const lacking = (cause: CscFailed): Refusal =>
  new Refusal("part-down", cause.message, { cause, lacks: "provider" })

function credentialOf(credential: CscCredential, algorithm: CscAlgorithm): RemoteCredential {
  const { id, certificate, chain, multisign: most } = credential
  const { subject, subjectName: commonName } = readCertificate(certificate)
  const named = (type: string) => attributesOf(subject, type).join(" ") || null
  const names = { commonName, givenName: named("2.5.4.42"), surname: named("2.5.4.4") }
  return { id, certificate, chain, names, algorithm, most }
}

function reasonOf(usable: readonly CscCredential[], unusable: readonly UnusableCredential[]): RemoteProblem {
  if (usable.length > 0) return "not-usable"
  if (unusable.length === 0) return "no-certificate"
  return unusable.some(({ reason }) => reason === "not-qualified") ? "not-qualified" : "not-usable"
}

export const tokenOf = ({ accessToken, expiresAt, credentialId }: CscToken): RemoteToken => ({
  accessToken,
  expiresAt: expiresAt.toISOString(),
  credentialId: credentialId ?? null,
})
