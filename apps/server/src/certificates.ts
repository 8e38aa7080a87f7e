import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Kind } from "@paraph/core/signature-request/model"
import type { ServiceCertificate } from "@paraph/store/postgres/service-certificates"
import type { Config } from "./config.ts"
import type { Identities } from "./identities.ts"

/** Every certificate that ends one day and is the operator's to renew: of the signatures, with its issuers, and of callbacks. */
export function certificatesOf(
  config: Pick<Config, "CALLBACK_CERTIFICATE_FILE">,
  identities: Pick<Identities, "of">,
  kinds: readonly Kind[],
): readonly ServiceCertificate[] {
  const ofSignatures = kinds.flatMap((kind) => {
    const { certificate, chain } = identities.of(kind)
    return [certificate, ...chain].map((der, n) =>
      shown(`${kind} signatures${n === 0 ? "" : `, issuer ${n}`}`, Buffer.from(der)),
    )
  })
  const file = config.CALLBACK_CERTIFICATE_FILE
  return file === "" ? ofSignatures : [...ofSignatures, shown("callbacks", readFileSync(file))]
}

/** Node writes one attribute of the name on each line, the widest first. */
function shown(name: string, bytes: Buffer): ServiceCertificate {
  const certificate = new X509Certificate(bytes)
  const subject = certificate.subject.split("\n").toReversed().join(", ")
  return { name, subject, notAfter: new Date(certificate.validTo) }
}
