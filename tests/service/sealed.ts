import { openPdf } from "@paraph/pades/document"
import { readSignatures } from "@paraph/pades/signatures"
import { bytesSource } from "@paraph/pades/source"
import { readCertificate } from "@paraph/pki/certificate"
import { attributesOf } from "@paraph/pki/name"
import { readSignedData } from "@paraph/pki/signed-data"

export type Sealer = {
  readonly field: string
  readonly country: string | undefined
  readonly organization: string | undefined
  readonly identifier: string | undefined
  readonly commonName: string | undefined
  readonly keyKind: string
}

/** Who sealed, as the certificates say that signed; time-stamps over the whole document are left out. */
export const sealersOf = (pdf: Uint8Array): readonly Sealer[] =>
  readSignatures(openPdf(bytesSource(pdf))).flatMap(({ type, contents, fieldName }) => {
    if (type === "document-timestamp" || contents === undefined) return []
    const certificates = readSignedData(contents).certificates.map((der) => readCertificate(der))
    const issuers = certificates.map(({ issuer }) => Buffer.from(issuer).toString("hex"))
    const leaf = certificates.find(({ subject }) => !issuers.includes(Buffer.from(subject).toString("hex")))
    if (leaf === undefined) throw new Error("There is no certificate of a signer.")
    const { subject, keyKind } = leaf
    const one = (oid: string) => attributesOf(subject, oid)[0]
    return [
      {
        field: fieldName,
        country: one("2.5.4.6"),
        organization: one("2.5.4.10"),
        identifier: one("2.5.4.97"),
        commonName: one("2.5.4.3"),
        keyKind,
      },
    ]
  })
