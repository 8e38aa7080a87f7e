// OCSP and CRLs: nothing but what the responder or the issuer signed can make a certificate good, or revoked.

import { join } from "node:path"
import { serialNumberOf, serialOf } from "@paraph/gateways/issuing-ca/world"
import { checkOcsp } from "@paraph/pki/check-ocsp"
import { findEntry, readCrl } from "@paraph/pki/crl"
import { issueCrl } from "@paraph/pki/crl-writer"
import { DerError, readDer } from "@paraph/pki/der"
import { integer } from "@paraph/pki/der-writer"
import { ocspRequest, readOcspRequest, writeCertId } from "@paraph/pki/ocsp"
import { readOcspResponse } from "@paraph/pki/ocsp-response"
import { type OcspEntry, writeOcspError, writeOcspResponse } from "@paraph/pki/ocsp-writer"
import { verifySignature } from "@paraph/pki/verify-signature"
import { filesIn } from "../corpus.ts"
import { readLax, writeLax } from "../mutate-der.ts"
import { NOW, sampleWorld, type World } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"

const NONCE = new Uint8Array(16).fill(7)
const LATER = new Date(NOW.getTime() + 86_400_000)

export const ocspRequests: Target = {
  name: "ocsp-request",
  kind: "der",
  seeds: async () => {
    const { root, signer } = await sampleWorld()
    const question = { certificate: signer.certificate, issuer: root.certificate }
    return [ocspRequest(question), ocspRequest({ ...question, nonce: NONCE, digestAlgorithm: "sha256" })]
  },
  refusals: [DerError],
  run: (input) => {
    const { certIds, nonce } = readOcspRequest(input)
    must(certIds.length > 0, "a request asks for something")
    for (const { bytes, serialNumber } of certIds) {
      must(same(readDer(bytes).bytes, bytes), "a CertID is DER")
      // What the register is asked for: one of its own serials, or nothing.
      const serial = serialOf(serialNumber)
      const isOurs = serialNumber > 0n && serialNumber < 1n << 128n
      must((serial !== null) === isOurs, "a serial of the register has 128 bits")
      must(serial === null || serialNumberOf(serial) === serialNumber, "it is the one that was asked about")
    }
    return `${certIds.length} ${certIds[0]?.digestAlgorithm ?? ""} ${nonce === undefined ? "" : "nonce"}`
  },
}

let answers: Promise<readonly Uint8Array[]> | undefined

async function ocspSeeds({ root, signer, tsa, responder }: World): Promise<readonly Uint8Array[]> {
  const entryOf = (
    certificate: World["signer"]["certificate"],
    certStatus: OcspEntry["certStatus"],
  ): OcspEntry => ({
    certId: writeCertId(certificate, root.certificate, "sha1"),
    certStatus,
    thisUpdate: NOW,
    nextUpdate: LATER,
    archiveCutoff: new Date(NOW.getTime() - 86_400_000),
  })
  const good = entryOf(signer.certificate, { status: "good" })
  const revoked = entryOf(tsa.certificate, { status: "revoked", revokedAt: NOW, reason: "keyCompromise" })
  const common = { producedAt: NOW, algorithm: "ed25519" as const }
  return Promise.all([
    writeOcspResponse({
      ...common,
      entries: [good, revoked],
      nonce: NONCE,
      extendedRevoke: true,
      responder: responder.certificate,
      certificates: [responder.certificate],
      signBytes: responder.signBytes,
    }),
    writeOcspResponse({
      ...common,
      entries: [revoked],
      responder: root.certificate,
      certificates: [],
      signBytes: root.signBytes,
    }),
    writeOcspError("tryLater"),
  ])
}

export const ocspResponses: Target = {
  name: "ocsp-response",
  kind: "der",
  seeds: async () => ocspSeeds(await sampleWorld()),
  refusals: [DerError],
  run: async (input) => {
    const response = readOcspResponse(input)
    const world = await sampleWorld()
    const { root, signer, tsa } = world
    const ways: string[] = [response.status]
    for (const { certificate } of [signer, tsa]) {
      const verdict = checkOcsp(response, { certificate, issuer: root.certificate, at: NOW })
      ways.push(verdict.status === "refused" ? verdict.reason : verdict.status)
      if (verdict.status === "refused" || response.status !== "successful") continue
      answers ??= ocspSeeds(world)
      const ours = (await answers).slice(0, 2).map((one) => readOcspResponse(one))
      must(
        ours.some((one) => one.status === "successful" && same(one.basic.tbs, response.basic.tbs)),
        "only what the responder signed is believed",
      )
    }
    return ways.join(" ")
  },
}

export const crls: Target = {
  name: "crl",
  kind: "der",
  seeds: async () => crlSeeds(await sampleWorld()),
  corpus: (folder) => filesIn(join(folder, "pkits"), ".crl", 4_000),
  refusals: [DerError],
  run: async (input) => {
    const crl = readCrl(input)
    must(same(canonical(input), input), "another reader, written canonically, gives the same")
    const world = await sampleWorld()
    const { serialNumber } = world.tsa.certificate
    const entry = findEntry(crl, serialNumber, (issuer) => same(issuer, world.root.certificate.subject))
    if (entry !== undefined) {
      must(entry.serialNumber === serialNumber, "the entry found is the one that was asked for")
      must(
        Buffer.from(crl.entries).includes(Buffer.from(integer(serialNumber))),
        "an entry stands in the list",
      )
    }
    const { signatureAlgorithm: algorithm, tbs: signed, signature: value } = crl
    const { publicKeySpki } = world.root.certificate
    if (verifySignature({ algorithm, publicKeySpki, signed, value }))
      must(
        (await crlSeeds(world)).some((one) => same(readCrl(one).tbs, signed)),
        "only what the issuer signed verifies",
      )
    return `${crl.version} ${Math.min(3, crl.entryCount)} ${entry?.reason ?? ""} ${crl.criticalEntryExtensions.length}`
  },
}

function canonical(input: Uint8Array): Uint8Array {
  const lax = readLax(input, true)
  return lax === undefined ? new Uint8Array() : writeLax(lax)
}

function crlSeeds({ root, tsa, signer }: World): Promise<readonly Uint8Array[]> {
  const common = {
    issuer: root.certificate.subject,
    thisUpdate: NOW,
    nextUpdate: LATER,
    crlNumber: 5n,
    algorithm: "ed25519" as const,
    issuerPublicKeySpki: root.certificate.publicKeySpki,
    signBytes: root.signBytes,
  }
  const { serialNumber } = tsa.certificate
  return Promise.all([
    issueCrl({ ...common, entries: [] }),
    issueCrl({
      ...common,
      entries: [
        { serialNumber: signer.certificate.serialNumber + 1n, revokedAt: NOW },
        { serialNumber, revokedAt: NOW, reason: "keyCompromise" },
      ],
    }),
  ])
}
