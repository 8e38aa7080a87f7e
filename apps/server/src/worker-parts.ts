import type { SendSms } from "@paraph/core/one-time-code/ports"
import type { SealingParts } from "@paraph/core/seal/make-seal"
import type { SigningParts } from "@paraph/core/signature-request/make-mark"
import type { Kind } from "@paraph/core/signature-request/model"
import { createSendSms } from "@paraph/gateways/sms"
import { createMailer, type Mailer } from "@paraph/gateways/smtp"
import type { Prepared } from "@paraph/pades/prepared"
import { readCertificate } from "@paraph/pki/certificate"
import { nameText } from "@paraph/pki/name-text"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { readTimestampToken } from "@paraph/pki/timestamp-token"
import { type AuthorityParts, authorityParts } from "./authority-parts.ts"
import { type BounceAddresses, createBounceAddresses } from "./bounce-addresses.ts"
import { createCertificateNotes } from "./certificates.ts"
import type { Config } from "./config.ts"
import { createIdentities, type Identities, openTokens } from "./identities.ts"
import type { Probes } from "./jobs/wake.ts"
import { buildLevelParts } from "./level-parts.ts"
import { tendingLog } from "./log-heads.ts"
import type { Parts } from "./parts.ts"
import { everyPepper, peppersOf } from "./peppers.ts"
import { protocolParts } from "./protocol-parts.ts"
import { createRandomness } from "./randomness.ts"
import { remoteSigningParts } from "./remote-key-parts.ts"
import { reportParts } from "./report-parts.ts"
import { sealParts } from "./seal-parts.ts"
import { seenMark } from "./seen-mark.ts"
import { ofKeys, type SignerKeyParts, sha256Of, signerKeyParts } from "./signer-key-parts.ts"
import { mustStartTls } from "./transport.ts"

export type WorkerParts = Parts &
  Omit<SigningParts, "pass"> &
  Omit<SealingParts, "pass"> &
  Pick<ReturnType<typeof sealParts>, "lookAfterSeals"> &
  SignerKeyParts &
  ReturnType<typeof reportParts> &
  ReturnType<typeof protocolParts> &
  ReturnType<typeof tendingLog> &
  ReturnType<typeof remoteSigningParts> &
  AuthorityParts & {
    readonly mailer: Mailer
    /** Null: the operator has no gateway, and no message of production is ever asked for. */
    readonly sendSms: SendSms | null
    readonly bounceAddresses: BounceAddresses
    readonly probes: Probes
    readonly wakeSigning: () => Promise<number>
    readonly closeWorker: () => Promise<void>
  }

/** What only a worker holds: the keys, in processes of their own, and the way to the mail server. */
export async function buildWorkerParts(config: Config, shared: Parts): Promise<WorkerParts> {
  const { newId } = createRandomness(config.SEED, "worker")
  const parts = { ...shared, newId }
  const tokens = openTokens(config)
  const authority = authorityParts(config, parts, tokens.of)
  const identities = createIdentities(config, tokens, authority.serviceCertificates)
  const noteCertificates = createCertificateNotes(config, identities, parts)
  // Fonts and the engine take 60 MB, and a process that only answers calls has no use for them.
  const { makeAppearance } = await import("@paraph/pades/appearance")
  const { finish } = await import("@paraph/pades/finish")
  const levels = await buildLevelParts(config, parts, authority, identities)
  const tending = tendingLog(config, parts, tokens, levels.stampDigest)
  const post = mailing(config)
  return {
    ...parts,
    ...keyHealth(parts, tokens.kinds, identities),
    ...post,
    sendSms: sendingSms(config, parts),
    certificateOf: async (kind) => sha256Of((await identities.of(kind).catch(ofKeys)).certificate),
    isInVain: async (kind, { prepared, stamp }) => {
      const since = await authority.revokedSince(kind, prepared.certificateSha256)
      return since !== null && (stamp === null || readTimestampToken(stamp).genTime >= since)
    },
    prepareMark: async (held, { kind, own, signerName, signedAt, reason, ...asked }) => {
      const { certificate, chain } = own ?? (await identities.of(kind).catch(ofKeys))
      const said = { signerName, signedAt, ...(reason !== undefined && { reason }) }
      const mark = { ...(await seenMark(makeAppearance, { ...asked, signerName })), ...said }
      const algorithm = own?.algorithm === undefined ? {} : { algorithm: own.algorithm as SignatureAlgorithm }
      // With the service's own key the rest follows at once; a signer's waits for the signer.
      const options = { ...mark, certificate, chain, ...algorithm }
      const engine = await parts.preparePdf(held, options, own === null)
      const { signedAttributes, baseSha256 } = engine
      const told = { certificateSha256: sha256Of(certificate), certificate: writtenOf(certificate) }
      return { signedAttributes, baseSha256, ...told, engine }
    },
    signBytes: (key, { signedAttributes, engine }) => {
      const { certificate, algorithm } = engine as Prepared
      const beside = { certificate: Buffer.from(certificate, "base64"), algorithm }
      return identities.sign(key, Buffer.from(signedAttributes, "base64"), beside).catch(ofKeys)
    },
    ...levels.parts,
    ...remoteSigningParts(parts, levels.isRevoked),
    probes: {
      keys: tokens.kinds.map((kind) => () => identities.health(kind)),
      ...levels.probes,
      provider: parts.remoteProviders.map(({ name, kind }) => async () => {
        await parts.remoteProviderOf(name, kind).info()
      }),
    },
    wakeSigning: () => wakeAll(parts),
    ...authority,
    ...sealParts(config, parts, authority, levels.parts, makeAppearance, tokens.of),
    ...reportParts(authority, identities),
    ...tending,
    ...protocolParts(config, parts, tending),
    ...signerKeyParts(tokens.of, authority.issueCertificate, parts.now),
    lookAfterAuthority: async () => {
      const problems = await authority.lookAfterAuthority()
      await noteCertificates()
      return problems
    },
    finishMark: ({ engine }, value, timestamp) =>
      finish(engine as Prepared, value, timestamp === null ? {} : { timestamp }),
    closeWorker: async () => {
      post.mailer.close()
      await tokens.close()
    },
  }
}

function mailing(config: Config) {
  const [pepper, ...earlier] = everyPepper(peppersOf(config))
  return {
    mailer: createMailer({
      url: config.SMTP_URL,
      from: config.MAIL_FROM,
      requireTls: mustStartTls(config),
      passwordFile: config.SMTP_PASSWORD_FILE,
    }),
    bounceAddresses: createBounceAddresses(config.MAIL_BOUNCE_ADDRESS, pepper, earlier),
  }
}

/** What may wait for keys, a time-stamp or an answer about a certificate. */
const SIGNING = [
  "prepare-release",
  "sign-remotely",
  "sign-document",
  "seal-document",
  "seal-report",
  "seal-protocol",
] as const

async function wakeAll({ jobs }: Pick<Parts, "jobs">): Promise<number> {
  let woken = 0
  for (const task of SIGNING) woken += await jobs.wake(task)
  return woken
}

/** For the evidence of the mark (ADR 0053). */
function writtenOf(certificate: Uint8Array) {
  const { subject, issuer, serialNumber } = readCertificate(certificate)
  return {
    subject: nameText(subject),
    issuer: nameText(issuer),
    serialNumber: serialNumber.toString(16).toUpperCase(),
  }
}

/** A worker is of use while it can sign what counts: of an installation with production that is its token, and the one of demo is beside. */
function keyHealth(
  { readiness, besides }: Pick<Parts, "readiness" | "besides">,
  kinds: readonly Kind[],
  { health }: Pick<Identities, "health">,
): Pick<Parts, "readiness" | "besides"> {
  const demo = { "demo keys": () => health("demo") }
  if (!kinds.includes("production")) return { readiness: { ...readiness, ...demo }, besides }
  const production = { "production keys": () => health("production") }
  return { readiness: { ...readiness, ...production }, besides: { ...besides, ...demo } }
}

const sendingSms = ({ SMS_URL: url, SMS_TOKEN: token, SMS_SENDER: sender }: Config, { outbound }: Parts) =>
  url === "" ? null : createSendSms(outbound, { url, token, sender })
