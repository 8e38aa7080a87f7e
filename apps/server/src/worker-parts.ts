import { createHash } from "node:crypto"
import { Refusal } from "@paraph/core/refusal"
import type { SealingParts } from "@paraph/core/seal/make-seal"
import type { SigningParts } from "@paraph/core/signature-request/make-mark"
import { KeysFailed } from "@paraph/gateways/keys-failed"
import { createMailer, type Mailer } from "@paraph/gateways/smtp"
import type { Prepared } from "@paraph/pades/prepared"
import { type AuthorityParts, authorityParts } from "./authority-parts.ts"
import { type BounceAddresses, createBounceAddresses } from "./bounce-addresses.ts"
import { certificatesOf } from "./certificates.ts"
import type { Config } from "./config.ts"
import { createIdentities } from "./identities.ts"
import { buildLevelParts } from "./level-parts.ts"
import type { Parts } from "./parts.ts"
import { sealParts } from "./seal-parts.ts"
import { seenMark } from "./seen-mark.ts"

export type WorkerParts = Parts &
  Omit<SigningParts, "pass"> &
  Omit<SealingParts, "pass"> &
  Pick<ReturnType<typeof sealParts>, "lookAfterSeals"> &
  AuthorityParts & {
    readonly mailer: Mailer
    readonly bounceAddresses: BounceAddresses
    readonly closeWorker: () => Promise<void>
  }

/** What only a worker holds: the keys, in processes of their own, and the way to the mail server. */
export async function buildWorkerParts(config: Config, parts: Parts): Promise<WorkerParts> {
  const identities = await createIdentities(config)
  await parts
    .noteCertificates(certificatesOf(config, identities, parts.kinds))
    .catch((error: unknown) => parts.log.warn({ error }, "the certificates were not noted"))
  // Fonts and the engine take 60 MB, and a process that only answers calls has no use for them.
  const { makeAppearance } = await import("@paraph/pades/appearance")
  const { finish } = await import("@paraph/pades/finish")
  const authority = authorityParts(config, parts, (kind) => identities.of(kind).keys)
  const levels = await buildLevelParts(config, parts, authority.localRevocation)
  const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
  return {
    ...parts,
    readiness: { ...parts.readiness, keys: identities.health },
    mailer,
    bounceAddresses: createBounceAddresses(config.MAIL_BOUNCE_ADDRESS, Buffer.from(config.KEY_PEPPER, "hex")),
    certificateOf: (kind) => sha256Of(identities.of(kind).certificate),
    prepareMark: async (held, { kind, signerName, signedAt, ...asked }) => {
      const { certificate, chain } = identities.of(kind)
      const mark = { ...(await seenMark(makeAppearance, { ...asked, signerName })), signerName, signedAt }
      const engine = await parts.preparePdf(held, { ...mark, certificate, chain })
      // Of the field's seed value; where no authority is named, waiting does not bring a time-stamp.
      if (engine.timestampRequired === true && config.TIMESTAMP_URLS.length === 0)
        throw new Refusal("pdf-locked", "The signature field asks for a time-stamp.")
      const { signedAttributes, baseSha256 } = engine
      return { signedAttributes, baseSha256, certificateSha256: sha256Of(certificate), engine }
    },
    signBytes: (kind, { signedAttributes, engine }) => {
      const { certificate, algorithm } = engine as Prepared
      const beside = { certificate: Buffer.from(certificate, "base64"), algorithm }
      return identities.sign(kind, Buffer.from(signedAttributes, "base64"), beside).catch(ofKeys)
    },
    ...levels,
    ...authority,
    ...sealParts(config, parts, authority, levels, makeAppearance, (kind) => identities.of(kind).keys),
    finishMark: ({ engine }, value, timestamp) =>
      finish(engine as Prepared, value, timestamp === null ? {} : { timestamp }),
    closeWorker: async () => {
      mailer.close()
      await identities.close()
    },
  }
}

const ofKeys = (cause: unknown): never => {
  if (!(cause instanceof KeysFailed)) throw cause
  throw new Refusal("part-down", "The signing key cannot be reached.", { cause, lacks: "keys" })
}

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")
