import { X509Certificate } from "node:crypto"
import type { Clock } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import { certifySeal, isDue } from "@paraph/core/seal/certify"
import type { SealingParts } from "@paraph/core/seal/make-seal"
import { certificateOf, type Seal, type UsableCertificate } from "@paraph/core/seal/model"
import type { CertifyingParts } from "@paraph/core/seal/ports"
import type { Kind } from "@paraph/core/signature-request/model"
import { IssuingFailed } from "@paraph/gateways/issuing-ca/failed"
import type { Keys } from "@paraph/gateways/keys"
import { KeysFailed } from "@paraph/gateways/keys-failed"
import type { Prepared } from "@paraph/pades/prepared"
import { readCertificate } from "@paraph/pki/certificate"
import { encodeSignature } from "@paraph/pki/signature-algorithm"
import { appendAudit } from "@paraph/store/postgres/audit-log"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { statesOf } from "@paraph/store/postgres/sealings"
import * as rows from "@paraph/store/postgres/seals"
import type { AuthorityParts } from "./authority-parts.ts"
import type { Config } from "./config.ts"
import type { LevelParts } from "./level-parts.ts"
import type { Parts } from "./parts.ts"
import { createSealWatch } from "./seal-watch.ts"
import { seenMark } from "./seen-mark.ts"
import { sha256Of } from "./signer-key-parts.ts"
import type { Logger } from "./telemetry/logs.ts"

/** What every role has of company seals (ADR 0043): their rows. The keys are a worker's. */
export const sealRows = (
  { SEAL_WAIT_SECONDS }: Pick<Config, "SEAL_WAIT_SECONDS">,
  db: ServiceDatabase,
  now: Clock,
  log: Logger,
) => ({
  sealingIsOver: createSealWatch(
    (ids) => statesOf(db, ids),
    (error) => log.warn({ error }, "seals"),
    SEAL_WAIT_SECONDS * 1000,
  ),
  sealCare: {
    endingBefore: (before: Date, limit: number) => rows.sealsEndingBefore(db, before, limit),
    ...certificateRows(db),
    record: (seal: Seal, { issued }: UsableCertificate) =>
      appendAudit(db, {
        at: now(),
        by: { person: null, shellUser: "worker" },
        act: "seal certify",
        businessId: seal.businessId,
        target: `seal ${seal.id}`,
        after: { notAfter: issued.notAfter.toISOString() },
      }),
  },
})

/** How a certificate gets on record; the command line writes the same. */
export const certificateRows = (
  db: ServiceDatabase,
): Pick<CertifyingParts, "beginCertificate" | "completeCertificate"> => ({
  beginCertificate: (seal, begun) => rows.beginCertificate(db, seal, begun),
  completeCertificate: (id, issued) => rows.completeCertificate(db, id, issued),
})

/** The key under the label, made where there is none. */
export const sealKeyIn =
  (keys: (kind: Kind) => Pick<Keys, "publicKey" | "generate">): CertifyingParts["sealKey"] =>
  async (kind, label, key) =>
    (await keys(kind).publicKey(label)) ?? (await keys(kind).generate(label, key))

export const validityOf: CertifyingParts["validityOf"] = (der) => {
  const { notBefore, notAfter } = readCertificate(der)
  return { notBefore, notAfter }
}

type WorkerSealParts = Pick<
  SealingParts,
  "sealCertificate" | "sha256Of" | "prepareSeal" | "signSeal" | "raiseSeal"
> & {
  /** New generations before the old ones end; answers what only the operator can mend. */
  readonly lookAfterSeals: () => Promise<readonly string[]>
}

type Shared = Pick<Parts, "now" | "newId" | "preparePdf" | "sealCare" | "authorityCare">
type MakeAppearance = Parameters<typeof seenMark>[0]

/** What a worker does with the keys of seals. */
export function sealParts(
  config: Pick<Config, "CERTIFICATE_ROLL_DAYS" | "TIMESTAMP_URLS">,
  shared: Shared,
  authority: AuthorityParts,
  levels: LevelParts["parts"],
  makeAppearance: MakeAppearance,
  keys: (kind: Kind) => Keys,
): WorkerSealParts {
  const { now, newId, sealCare, authorityCare } = shared
  const certifying: CertifyingParts = {
    ...sealCare,
    sealKey: sealKeyIn(keys),
    issueCertificate: authority.issueCertificate,
    validityOf,
    newId,
  }
  /** One at a time, with those who make authorities: a token would make two keys of one label. */
  const certify = (seal: Seal) =>
    authorityCare.alone(async () => {
      const made = await certifySeal(certifying, seal, now())
      await sealCare.record(seal, made)
      return made
    })
  return {
    sha256Of,
    sealCertificate: async (seal) => {
      const made = certificateOf(seal, now()) ?? (await certify(seal).catch(ofKeys))
      if (made !== undefined) return made
      throw new Refusal("part-down", "The certificate of the seal is being made.", { lacks: "keys" })
    },
    prepareSeal: async (
      held,
      { issued: { certificate, chain } },
      { signerName, signedAt, image, ...asked },
    ) => {
      const look = image === null ? ({ type: "plain" } as const) : ({ type: "picture", png: image } as const)
      const mark = {
        ...(await seenMark(makeAppearance, { ...asked, look, signerName })),
        signerName,
        signedAt,
      }
      const engine = await shared.preparePdf(held, { ...mark, certificate, chain }, true)
      const { signedAttributes, baseSha256 } = engine
      return { signedAttributes, baseSha256, certificateSha256: sha256Of(certificate), engine }
    },
    signSeal: async (kind, keyLabel, { signedAttributes, engine }) => {
      const { certificate, algorithm } = engine as Prepared
      const toBeSigned = Buffer.from(signedAttributes, "base64")
      const value = await keys(kind).sign(keyLabel, toBeSigned, algorithm).catch(ofKeys)
      // Kept for good before it is used: one that is wrong must not get that far.
      const { publicKeySpki } = readCertificate(Buffer.from(certificate, "base64"))
      return encodeSignature(algorithm, publicKeySpki, toBeSigned, value)
    },
    raiseSeal: async (kind, held, mark, issuers, field) => {
      const roots = issuers.filter((der) => new X509Certificate(der).checkIssued(new X509Certificate(der)))
      return levels.raiseMarks(held, mark, { kind, to: "B-LTA", fields: [field] }, roots)
    },
    lookAfterSeals: async () => {
      const days = config.CERTIFICATE_ROLL_DAYS
      const before = new Date(now().getTime() + days * 86_400_000)
      const problems: string[] = []
      for (const seal of await sealCare.endingBefore(before, BATCH)) {
        if (!isDue(seal, days, now())) continue
        if (seal.issuer === "outside") problems.push(ending(seal))
        else await certify(seal)
      }
      return problems
    },
  }
}

const BATCH = 50

const ending = ({ name, kind, businessId, certificates }: Seal): string => {
  const day = certificates
    .findLast(({ issued }) => issued !== null)
    ?.issued?.notAfter.toISOString()
    .slice(0, 10)
  return `The certificate of the ${kind} seal "${name}" of business ${businessId} ends on ${day}: paraph seal request.`
}

const ofKeys = (cause: unknown): never => {
  if (cause instanceof KeysFailed)
    throw new Refusal("part-down", "The key of the seal cannot be reached.", { cause, lacks: "keys" })
  if (cause instanceof IssuingFailed)
    throw new Refusal("part-down", "The authority issued no certificate for the seal.", {
      cause,
      lacks: "keys",
    })
  throw cause
}
