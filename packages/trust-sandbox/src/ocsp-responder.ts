// The OCSP responders of the sandbox (RFC 6960). Each answer is made when it is asked for, by a delegate of the issuer.

import { DerError } from "@paraph/pki/der"
import { type CertId, namesIssuer, type OcspRequest, readOcspRequest } from "@paraph/pki/ocsp"
import { type OcspEntry, writeOcspError, writeOcspResponse } from "@paraph/pki/ocsp-writer"
import type { Hierarchy, Service } from "./hierarchy.ts"
import type { Issuer, IssuerName, World } from "./issuer.ts"
import type { OcspMisbehaviour } from "./misbehaviour.ts"

export type OcspResponder = (
  name: IssuerName,
  asked: Uint8Array,
  delegate: Service,
  how: OcspMisbehaviour | undefined,
) => Promise<Uint8Array>

const HOUR_MS = 3_600_000
const STALE_MS = 48 * HOUR_MS

export function createOcspResponder(hierarchy: Hierarchy, { now }: World): OcspResponder {
  return async (name, asked, { key, certificate, expired }, how) => {
    const request = readRequest(asked)
    if (request === undefined) return writeOcspError("malformedRequest")
    if (how === "try-later") return writeOcspError("tryLater")
    const at = new Date(now().getTime() - (how === "stale" ? STALE_MS : 0))
    const responder = await (how === "expired" ? expired() : certificate())
    const nonce = how === "wrong-nonce" ? request.nonce?.map((octet) => octet ^ 0xff) : request.nonce
    return writeOcspResponse({
      entries: (how === "another" ? request.certIds.map(neighbourOf) : request.certIds).map((certId) =>
        entry(hierarchy[name], certId, at, how),
      ),
      producedAt: at,
      ...(nonce === undefined ? {} : { nonce }),
      responder,
      certificates: [responder],
      algorithm: key.algorithm,
      signBytes: key.signBytes,
    })
  }
}

/** The same issuer, the next serial number: its last octet is the last of the whole name. */
function neighbourOf(certId: CertId): CertId {
  const bytes = Uint8Array.from(certId.bytes)
  const last = bytes.length - 1
  bytes[last] = (bytes[last] ?? 0) ^ 0x02
  return { ...certId, bytes }
}

function readRequest(asked: Uint8Array): OcspRequest | undefined {
  try {
    return readOcspRequest(asked)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function entry(issuer: Issuer, certId: CertId, at: Date, how: OcspMisbehaviour | undefined): OcspEntry {
  return {
    certId: certId.bytes,
    certStatus: certStatus(issuer, certId, at, how),
    thisUpdate: at,
    nextUpdate: new Date(at.getTime() + HOUR_MS),
    // EN 319 411-2, CSS-6.3.10: the register remembers certificates that have expired, from the first one on.
    archiveCutoff: issuer.certificate.notBefore,
  }
}

function certStatus(
  issuer: Issuer,
  certId: CertId,
  at: Date,
  how: OcspMisbehaviour | undefined,
): OcspEntry["certStatus"] {
  const status = namesIssuer(certId, issuer.certificate)
    ? issuer.statusOf(certId.serialNumber, at)
    : undefined
  if (status === undefined || how === "unknown") return { status: "unknown" }
  if (how === "revoked")
    return { status: "revoked", revokedAt: new Date(at.getTime() - HOUR_MS), reason: "keyCompromise" }
  if (status === "good") return { status: "good" }
  const { at: revokedAt, reason } = status
  // RFC 5280, 5.3.1: unspecified is better left out.
  return { status: "revoked", revokedAt, ...(reason === "unspecified" ? {} : { reason }) }
}
