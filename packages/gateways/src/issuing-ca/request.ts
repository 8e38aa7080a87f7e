// An issuing authority under somebody else's root: what we ask, and what we take.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { writeCertificateRequest } from "@paraph/pki/certificate-request"
import { writeBasicConstraints, writeKeyUsage } from "@paraph/pki/certificate-writer"
import { EXTENSION, readBasicConstraints, readKeyUsage } from "@paraph/pki/extensions"
import { findPath } from "@paraph/pki/path"
import { certificatesInPem } from "@paraph/pki/pem"
import { IssuingFailed } from "./failed.ts"
import { authorityName, keyOf, type Operator, onRecord, PLANS } from "./make.ts"
import type { Authority, Kind } from "./records.ts"
import type { AuthorityWorld } from "./world.ts"

/** PKCS#10. Asked again before there is a certificate, it is about the same key. */
export async function requestAuthority(
  world: AuthorityWorld,
  kind: Kind,
  operator: Operator,
  now: Date,
): Promise<{ readonly authority: Authority; readonly request: Uint8Array }> {
  const authority = await onRecord(world, { kind, role: "issuing", issuer: null }, "requested", now)
  const { basicConstraints = { ca: true }, keyUsage } = PLANS.issuing.profile
  const request = await writeCertificateRequest({
    subject: authorityName(operator, authority),
    publicKeySpki: await keyOf(world, authority),
    extensions: [
      { id: EXTENSION.basicConstraints, critical: true, value: writeBasicConstraints(basicConstraints) },
      { id: EXTENSION.keyUsage, critical: true, value: writeKeyUsage(keyUsage) },
    ],
    algorithm: "ecdsa-sha256",
    signBytes: (bytes) => world.keys(kind, "issuing").sign(authority.keyLabel, bytes, "ecdsa-sha256"),
  })
  return { authority, request }
}

/** The certificate and its issuers up to a root, in PEM, the nearest first. Nothing is taken that does not hold. */
export async function installAuthority(
  world: AuthorityWorld,
  kind: Kind,
  pem: string,
  now: Date,
): Promise<Authority> {
  const rows = await world.records.authorities(kind)
  const authority = rows.find(({ role, state }) => role === "issuing" && state === "requested")
  if (authority === undefined) throw wrong("Nothing was requested: paraph ca request comes first.")
  const [certificate, ...chain] = readPem(pem)
  if (certificate === undefined) throw wrong("There is no certificate in it.")
  checkAuthority(certificate, await keyOf(world, authority))
  checkChain([certificate, ...chain], now)
  const { der, notBefore, notAfter } = certificate
  const made = { certificate: der, chain: chain.map((one) => one.der), notBefore, notAfter }
  await world.records.completeAuthority(authority.id, made)
  return { ...authority, ...made, state: "active" }
}

function readPem(pem: string): readonly Certificate[] {
  try {
    return certificatesInPem(pem).map((der) => readCertificate(der))
  } catch (error) {
    throw new IssuingFailed("wrong-answer", "One of the certificates cannot be read.", { cause: error })
  }
}

function checkAuthority({ publicKeySpki, extensions }: Certificate, ours: Uint8Array): void {
  if (Buffer.compare(publicKeySpki, ours) !== 0)
    throw wrong("It is about another key than the requested one.")
  const usage = readKeyUsage(extensions) ?? []
  if (readBasicConstraints(extensions)?.ca !== true || !usage.includes("keyCertSign"))
    throw wrong("It is no certificate of an authority.")
  // Without it nobody would believe a list of ours.
  if (!usage.includes("cRLSign")) throw wrong("It does not let the authority sign lists of what is revoked.")
}

/** RFC 5280, 6: up to the last one, which the operator trusts by bringing it. */
function checkChain([certificate, ...issuers]: readonly Certificate[], at: Date): void {
  const anchor = issuers.at(-1)
  if (certificate === undefined || anchor === undefined)
    throw wrong("Its issuers are missing, up to the root.")
  const found = findPath(certificate, { intermediates: issuers.slice(0, -1), anchors: [anchor], at })
  if (!found.valid) throw wrong(`Its chain does not hold: ${found.reason}.`)
}

const wrong = (message: string) => new IssuingFailed("wrong-answer", message)
