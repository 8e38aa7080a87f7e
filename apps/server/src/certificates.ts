import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Kind } from "@paraph/core/signature-request/model"
import type { ServiceCertificate } from "@paraph/store/postgres/service-certificates"
import type { Config } from "./config.ts"
import type { Identities } from "./identities.ts"
import type { Parts } from "./parts.ts"

/** Notes them for the operator's pages when they have changed since the last time. */
export function createCertificateNotes(
  config: Pick<Config, "CALLBACK_CERTIFICATE_FILE">,
  identities: Pick<Identities, "of">,
  { kinds, noteCertificates, log }: Pick<Parts, "kinds" | "noteCertificates" | "log">,
): () => Promise<void> {
  let noted = ""
  return async () => {
    try {
      const certificates = await certificatesOf(config, identities, kinds)
      const text = JSON.stringify(certificates)
      if (text === noted) return
      await noteCertificates(certificates)
      noted = text
    } catch (error) {
      log.warn({ error }, "the certificates were not noted")
    }
  }
}

/** Every certificate that ends one day and is the operator's to renew: of the signatures, with its issuers, and of callbacks. */
async function certificatesOf(
  config: Pick<Config, "CALLBACK_CERTIFICATE_FILE">,
  identities: Pick<Identities, "of">,
  kinds: readonly Kind[],
): Promise<readonly ServiceCertificate[]> {
  const ofSignatures: ServiceCertificate[] = []
  for (const kind of kinds) {
    const { certificate, chain } = await identities.of(kind)
    const all = [certificate, ...chain].map((der, n) =>
      shown(`${kind} signatures${n === 0 ? "" : `, issuer ${n}`}`, Buffer.from(der)),
    )
    ofSignatures.push(...all)
  }
  const file = config.CALLBACK_CERTIFICATE_FILE
  return file === "" ? ofSignatures : [...ofSignatures, shown("callbacks", readFileSync(file))]
}

/** Node writes one attribute of the name on each line, the widest first. */
function shown(name: string, bytes: Buffer): ServiceCertificate {
  const certificate = new X509Certificate(bytes)
  const subject = certificate.subject.split("\n").toReversed().join(", ")
  return { name, subject, notAfter: new Date(certificate.validTo) }
}
