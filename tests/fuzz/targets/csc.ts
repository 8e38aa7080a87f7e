// What a remote signing provider answers (CSC API 2.0): read or refused by name, within its limits, and a credential is
// usable only where its certificate leads to an anchor and says that it is qualified.

import { createECDH, createPublicKey } from "node:crypto"
import {
  readActivation,
  readCredentialInfo,
  readCredentialsList,
  readInfo,
  readSignatures,
} from "@paraph/gateways/csc-answer"
import { judge } from "@paraph/gateways/csc-credential"
import { CscFailed } from "@paraph/gateways/csc-failed"
import { readJson } from "@paraph/gateways/csc-json"
import { readCertificate } from "@paraph/pki/certificate"
import { issueCertificate, writeName } from "@paraph/pki/certificate-writer"
import { qualifiedUnder, writeQcStatements } from "@paraph/pki/qc-statements"
import { NOW, sampleWorld } from "../sample-pki.ts"
import { must, type Target } from "../target.ts"

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

const INFO = {
  specs: "2.0.0.2",
  name: "Acme",
  region: "CH",
  authType: ["oauth2code"],
  methods: ["info", "signatures/signHash"],
  asynchronousOperationMode: true,
  oauth2: "https://login.example.org",
}

export const cscInfo: Target = {
  name: "csc-info",
  kind: "text",
  seeds: () => [
    json(INFO),
    json({ ...INFO, oauth2: null, oauth2Issuer: "https://a.example" }),
    json({ name: 1 }),
  ],
  refusals: [CscFailed],
  run: (input) => {
    const { name, methods } = readInfo(readJson(input))
    must(typeof name === "string" && methods.every((method) => typeof method === "string"), "texts are texts")
    return `${methods.length}`
  },
}

export const cscSignatures: Target = {
  name: "csc-signatures",
  kind: "text",
  seeds: () => [
    json({ signatures: ["AAAA", "AQIDBA=="] }),
    json({ responseID: "158112-652341" }),
    json({ SAD: "_TiHRG-bAH3", expiresIn: 300 }),
    json({ handle: "878287f37b2b" }),
  ],
  refusals: [CscFailed],
  run: (input) => {
    const answer = readJson(input)
    if (Object.hasOwn(answer, "SAD")) {
      const { state } = readActivation(answer, 200)
      must(state === "released", "an answer of 200 is a release")
      return state
    }
    if (Object.hasOwn(answer, "handle")) return readActivation(answer, 202).state
    const read = readSignatures(answer, 2)
    if (read.state === "signed") must(read.values.length === 2, "there is a signature for each hash")
    return read.state
  },
}

const { root } = await sampleWorld()
const JUDGING = { anchors: [root.certificate], legislation: "ZERTES", at: NOW } as const

export const cscCredentials: Target = {
  name: "csc-credentials",
  kind: "text",
  seeds: async () => {
    const certificates = [await qualified(), root.certificate.der]
    const credential = {
      description: "Ada",
      key: { status: "enabled", algo: ["1.2.840.10045.4.3.2"], len: 256 },
      cert: { status: "valid", certificates: certificates.map((der) => Buffer.from(der).toString("base64")) },
      auth: { mode: "oauth2code" },
      SCAL: "2",
      multisign: 5,
    }
    const factor = { type: "Password", id: "PIN", format: "N", label: "PIN" }
    const explicit = { mode: "explicit", expression: "PIN", objects: [factor] }
    return [
      json({ credentialIDs: ["a"], credentialInfos: [{ credentialID: "a", ...credential }] }),
      json({ credentialIDs: ["b"], credentialInfos: [{ credentialID: "b", ...credential, auth: explicit }] }),
    ]
  },
  refusals: [CscFailed],
  run: (input) => {
    const { ids, described } = readCredentialsList(readJson(input))
    return ids.map((id) => {
      const claim = described.get(id)
      if (claim === undefined) return "unknown"
      const judged = judge(readCredentialInfo(id, claim), JUDGING)
      if ("reason" in judged) return judged.reason
      must(qualifiedUnder(readCertificate(judged.certificate)) === "ZERTES", "what is usable is qualified")
      must(judged.multisign >= 1 && judged.scal === 2, "what is usable is bound to hashes")
      return judged.release.mode
    })
  },
}

/** A certificate for a fixed key on P-256, by the sample root. */
function qualified(): Promise<Uint8Array> {
  const ecdh = createECDH("prime256v1")
  ecdh.setPrivateKey(Buffer.alloc(32, 7))
  const point = ecdh.getPublicKey()
  const half = (from: number) => point.subarray(from, from + 32).toString("base64url")
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x: half(1), y: half(33) }, format: "jwk" })
  const claims = { isQualified: true, isInDevice: true, types: ["esign"], countries: ["CH"] } as const
  return issueCertificate({
    subject: writeName({ commonName: "Ada" }),
    issuer: root.certificate.subject,
    serialNumber: 4711n,
    notBefore: new Date(NOW.getTime() - 86_400_000),
    notAfter: new Date(NOW.getTime() + 86_400_000),
    publicKeySpki: new Uint8Array(key.export({ type: "spki", format: "der" })),
    keyUsage: ["contentCommitment"],
    otherExtensions: [writeQcStatements(claims)],
    algorithm: "ed25519",
    issuerPublicKeySpki: root.certificate.publicKeySpki,
    signBytes: root.signBytes,
  })
}
