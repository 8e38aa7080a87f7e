// OCSP responses and CRLs about a certificate, with any status and any times: what a document may hold, sound or odd.

import { sign } from "node:crypto"
import type { Certificate } from "@paraph/pki/certificate"
import { type Crl, readCrl } from "@paraph/pki/crl"
import { issueCrl } from "@paraph/pki/crl-writer"
import { implicit, integer, octetString, sequence } from "@paraph/pki/der-writer"
import type { Extension } from "@paraph/pki/extension"
import { EXTENSION } from "@paraph/pki/extensions"
import { ocspRequest, readOcspRequest } from "@paraph/pki/ocsp"
import { type BasicOcspResponse, type CertStatus, readOcspResponse } from "@paraph/pki/ocsp-response"
import { writeOcspResponse } from "@paraph/pki/ocsp-writer"
import type { RevocationReason } from "@paraph/pki/revocation-reason"
import { type Holder, newHolder } from "./keys.ts"

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"
const OCSP_NO_CHECK = { id: "1.3.6.1.5.5.7.48.1.5", critical: false, value: Uint8Array.of(5, 0) }

export type StatusOrder = {
  /** Revoked since then; good where it is absent. */
  readonly since?: Date
  readonly reason?: RevocationReason
  readonly thisUpdate: Date
  readonly nextUpdate?: Date
  /** Of an OCSP response; thisUpdate where it is absent. */
  readonly producedAt?: Date
}

/** By the issuer itself, or by a responder that it has certified. */
export async function newOcspResponse(
  certificate: Certificate,
  issuer: Holder,
  { since, reason, thisUpdate, nextUpdate, producedAt = thisUpdate }: StatusOrder,
  responder: Holder = issuer,
): Promise<BasicOcspResponse> {
  const request = ocspRequest({ certificate, issuer: issuer.certificate, nonce: new Uint8Array(16) })
  const [certId] = readOcspRequest(request).certIds
  if (certId === undefined) throw new Error("The OCSP request names no certificate.")
  const certStatus: CertStatus =
    since === undefined
      ? { status: "good" }
      : { status: "revoked", revokedAt: since, ...(reason && { reason }) }
  const der = await writeOcspResponse({
    entries: [{ certId: certId.bytes, certStatus, thisUpdate, ...(nextUpdate && { nextUpdate }) }],
    producedAt,
    responder: responder.certificate,
    certificates: responder === issuer ? [] : [responder.certificate],
    algorithm: algorithmOf(responder),
    signBytes: signBytes(responder),
  })
  const response = readOcspResponse(der)
  if (response.status !== "successful") throw new Error("The OCSP response is not successful.")
  return response.basic
}

/** Signs in the name of the issuer with the key of a stranger. */
export const forgedBy = (stranger: Holder, issuer: Holder): Holder => ({
  ...stranger,
  certificate: issuer.certificate,
})

let lastCrlNumber = 0n

/** For CA certificates only: it says nothing about a signer's certificate. */
export const ONLY_CA_CERTS = scope(implicit(2, octetString(Uint8Array.of(0xff))))
/** For the reasons keyCompromise and cACompromise only. */
export const KEY_REASONS = scope(implicit(3, octetString(Uint8Array.of(5, 0x60))))
/** For all the reasons that KEY_REASONS leaves. */
export const OTHER_REASONS = scope(implicit(3, octetString(Uint8Array.of(7, 0x1f, 0x80))))

/** A delta to the CRL of that number. */
export const deltaTo = (base: number): Extension => ({
  id: EXTENSION.deltaCRLIndicator,
  critical: true,
  value: integer(base),
})

function scope(part: Uint8Array): Extension {
  return { id: EXTENSION.issuingDistributionPoint, critical: true, value: sequence(part) }
}

export async function newCrl(
  certificate: Certificate,
  issuer: Holder,
  { since, reason, thisUpdate, nextUpdate = new Date(thisUpdate.getTime() + 86_400_000) }: StatusOrder,
  otherExtensions: readonly Extension[] = [],
): Promise<Crl> {
  lastCrlNumber += 1n
  const { serialNumber } = certificate
  const der = await issueCrl({
    issuer: issuer.certificate.subject,
    thisUpdate,
    nextUpdate,
    crlNumber: lastCrlNumber,
    ...(otherExtensions.length > 0 && { otherExtensions }),
    entries: since === undefined ? [] : [{ serialNumber, revokedAt: since, ...(reason && { reason }) }],
    algorithm: algorithmOf(issuer),
    issuerPublicKeySpki: issuer.publicKeySpki,
    signBytes: signBytes(issuer),
  })
  return readCrl(der)
}

/** An OCSP responder that needs no check of its own, unless the order says so. */
export function newResponder(
  issuer: Holder,
  validity: { readonly notBefore: Date; readonly notAfter: Date },
  { needsCheck = false } = {},
): Promise<Holder> {
  return newHolder(issuer, {
    name: "Responder",
    keyUsage: ["digitalSignature"],
    extendedKeyUsage: [OCSP_SIGNING],
    otherExtensions: needsCheck ? [] : [OCSP_NO_CHECK],
    ...validity,
  })
}

const algorithmOf = ({ kind }: Holder) => (kind === "P-384" ? "ecdsa-sha384" : "ecdsa-sha256")

const signBytes =
  (holder: Holder) =>
  async (bytes: Uint8Array): Promise<Uint8Array> =>
    sign(holder.kind === "P-384" ? "sha384" : "sha256", bytes, holder.privateKey)
