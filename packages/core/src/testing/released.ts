import type { Release } from "../release/model.ts"
import type { Intent } from "../signature-request/intent.ts"
import { transition } from "../signature-request/machine.ts"
import type { SignatureRequest } from "../signature-request/model.ts"
import { SAMPLE_TIME, sampleConsent, sampleRequest } from "./sample.ts"

/** A request of which `s1` releases the key `k1` for one mark; times are minutes after the sample's. */
export const minutes = (count: number): Date => new Date(SAMPLE_TIME.getTime() + count * 60_000)

export const NAME = {
  name: "Ann Example",
  givenName: null,
  surname: null,
  by: "account",
  proof: null,
} as const

export const advanced = (signers = 1, documentCount = 1): SignatureRequest =>
  transition(
    sampleRequest(
      Array.from({ length: signers }, () => null),
      { quality: "AES", documentCount },
    ),
    { type: "start", members: [], at: SAMPLE_TIME },
  ).request

export const turnTaken = (request: SignatureRequest, at = minutes(0)): SignatureRequest =>
  transition(request, {
    type: "take-turn",
    signatureId: "s1",
    releaseId: "k1",
    consent: sampleConsent(at),
    until: new Date(at.getTime() + 600_000),
    name: NAME,
    provider: null,
    at,
  }).request

const of = { signatureId: "s1", releaseId: "k1" }

export const offered = (request: SignatureRequest, at = minutes(1)): SignatureRequest =>
  transition(request, { type: "offer-release", ...of, certificateSha256: "c1", at }).request

export const released = (request: SignatureRequest, at = minutes(2)): SignatureRequest =>
  transition(request, { type: "release", ...of, factor: "passkey", binding: "b1", at }).request

export const sampleRelease = (): Release => ({
  id: "k1",
  businessId: "b1",
  signatureId: "s1",
  kind: "demo",
  key: { at: "token", label: "signer-k1" },
  certificate: Uint8Array.of(1),
  chain: [],
  certificateSha256: "c1",
  marks: [{ documentId: "d1", onto: "d1", versionId: "v1", sha256: "h1" }],
  until: minutes(10),
  passed: null,
})

export const sampleIntent = (): Intent => ({
  signatureId: "s1",
  documentId: "d1",
  baseId: "d1",
  versionId: "v1",
  prepared: { signedAttributes: "", certificateSha256: "c1", baseSha256: "", engine: null },
  value: null,
  stamp: null,
  createdAt: SAMPLE_TIME,
})
