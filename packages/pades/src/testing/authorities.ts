// A signer and authorities in this very process: what a caller of this package brings along. Nothing is sent anywhere; the
// functions answer as the authorities would.

import { generateKeyPairSync, sign } from "node:crypto"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { type CertificateOrder, issueCertificate, writeName } from "@paraph/pki/certificate-writer"
import { readOcspRequest } from "@paraph/pki/ocsp"
import { writeOcspResponse } from "@paraph/pki/ocsp-writer"
import { readTimestampRequest } from "@paraph/pki/timestamp"
import { writeTimestampResponse } from "@paraph/pki/timestamp-writer"

const DAY_MS = 86_400_000
const OCSP_URL = "http://authority.example/ocsp"
// RFC 5280, 4.2.1.12.
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8"
let serialNumber = 0n

const rootKey = newKey()
const root = await certify("Root", rootKey, { basicConstraints: { ca: true }, keyUsage: ["keyCertSign"] })
const clockKey = newKey()
const clock = await certify("Clock", clockKey, {
  keyUsage: ["digitalSignature"],
  extendedKeyUsage: [TIME_STAMPING],
  extendedKeyUsageCritical: true,
  authorityInfoAccess: { ocsp: [OCSP_URL] },
})
const adaKey = newKey()
const ada = await certify("Ada", adaKey, {
  keyUsage: ["contentCommitment"],
  authorityInfoAccess: { ocsp: [OCSP_URL] },
})

export const signer = { certificate: ada.der, chain: [root.der], sign: adaKey.signBytes }

export const authorities = {
  anchors: [root.der],
  timestamp: (asked: Uint8Array) => {
    const request = readTimestampRequest(asked)
    const authority = { certificate: clock, chain: [root], algorithm: "ecdsa-sha256", ...clockKey } as const
    return writeTimestampResponse({
      ...authority,
      request,
      policy: "2.25.1",
      serialNumber: nextSerialNumber(),
      genTime: new Date(),
    })
  },
  revocation: {
    askOcsp: (_url: string, asked: Uint8Array) => {
      const { certIds, nonce } = readOcspRequest(asked)
      const now = new Date()
      return writeOcspResponse({
        entries: certIds.map(({ bytes: certId }) => ({
          certId,
          certStatus: { status: "good" },
          thisUpdate: now,
        })),
        producedAt: now,
        ...(nonce && { nonce }),
        responder: root,
        certificates: [],
        algorithm: "ecdsa-sha256",
        signBytes: rootKey.signBytes,
      })
    },
    fetchCrl: () => Promise.reject(new Error("There is no list.")),
  },
}

type Key = {
  readonly publicKeySpki: Uint8Array
  readonly signBytes: (bytes: Uint8Array) => Promise<Uint8Array>
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return {
    publicKeySpki: new Uint8Array(publicKey.export({ type: "spki", format: "der" })),
    signBytes: async (bytes) => sign("sha256", bytes, privateKey),
  }
}

async function certify(
  commonName: string,
  { publicKeySpki }: Key,
  order: Pick<CertificateOrder, "keyUsage"> & Partial<CertificateOrder>,
): Promise<Certificate> {
  const now = Date.now()
  const der = await issueCertificate({
    ...order,
    subject: writeName({ commonName }),
    issuer: writeName({ commonName: "Root" }),
    serialNumber: nextSerialNumber(),
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAY_MS),
    publicKeySpki,
    algorithm: "ecdsa-sha256",
    issuerPublicKeySpki: rootKey.publicKeySpki,
    signBytes: rootKey.signBytes,
  })
  return readCertificate(der)
}

function nextSerialNumber(): bigint {
  serialNumber += 1n
  return serialNumber
}
