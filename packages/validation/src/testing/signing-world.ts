// A root, a signer and time-stamping authorities in memory, who live when the test says so: documents are signed, raised and
// renewed at any time, and certificates are revoked at any other.

import { sign } from "node:crypto"
import { finish } from "@paraph/pades/finish"
import { type PrepareOptions, prepare } from "@paraph/pades/prepare"
import { type Level, raise } from "@paraph/pades/raise"
import { samplePdf } from "@paraph/pades/sample"
import { readOcspRequest } from "@paraph/pki/ocsp"
import type { CertStatus } from "@paraph/pki/ocsp-response"
import { writeOcspResponse } from "@paraph/pki/ocsp-writer"
import { readTimestampRequest } from "@paraph/pki/timestamp"
import { writeTimestampResponse } from "@paraph/pki/timestamp-writer"
import { type Holder, newHolder, newRoot } from "./keys.ts"

const OCSP = { ocsp: ["http://authority.example/ocsp"] }
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8"
const HOUR_MS = 3_600_000

export type Validity = {
  readonly notBefore: Date
  readonly notAfter: Date
  readonly kind?: "P-256" | "P-384"
  readonly extendedKeyUsage?: readonly string[]
  readonly extendedKeyUsageCritical?: boolean
}

export type SigningWorld = {
  readonly root: Holder
  readonly signer: Holder
  /** Signed by the signer at that time, B-B. */
  readonly sign: (at: Date, base?: Uint8Array, options?: Partial<PrepareOptions>) => Uint8Array
  /** Raised at that time, by the authority for time-stamps of this number. */
  readonly raise: (signed: Uint8Array, to: Level, at: Date, authority?: number) => Promise<Uint8Array>
  /** From then on authorities say so. */
  readonly revoke: (holder: Holder, at: Date, reason?: "keyCompromise" | "certificateHold") => void
  readonly authorities: readonly Holder[]
  /** The response of a time-stamping authority to a request at that time. */
  readonly stamp: (request: Uint8Array, at: Date, authority?: number) => Promise<Uint8Array>
  /** What OCSP says at that time. */
  readonly answer: (request: Uint8Array, at: Date) => Promise<Uint8Array>
}

/** The root has a key on P-384, which signers may not have. */
export async function signingWorld(order: {
  readonly signer: Validity
  readonly authorities: readonly Validity[]
}): Promise<SigningWorld> {
  const root = await newRoot({ name: "Root", keyUsage: ["keyCertSign"], kind: "P-384" })
  const signer = await newHolder(root, {
    name: "Ada",
    keyUsage: ["contentCommitment"],
    authorityInfoAccess: OCSP,
    ...order.signer,
  })
  const authorities = await Promise.all(order.authorities.map((validity, i) => newClock(root, validity, i)))
  const revoked = new Map<bigint, CertStatus>()
  const answer = (request: Uint8Array, at: Date) => answerAt(root, revoked, request, at)
  const stamp = (request: Uint8Array, at: Date, number = 0) => {
    const authority = authorities[number]
    if (authority === undefined) throw new RangeError(`There is no time-stamping authority ${number}.`)
    return stampAt(root, authority, request, at)
  }
  return {
    root,
    signer,
    authorities,
    answer,
    stamp,
    revoke: (holder, at, reason = "keyCompromise") => {
      revoked.set(holder.certificate.serialNumber, { status: "revoked", revokedAt: at, reason })
    },
    sign: (at, base = samplePdf(), options = {}) => signAt(root, signer, at, base, options),
    raise: async (signed, to, at, number = 0) => {
      const tail = await raise(signed, {
        to,
        now: at,
        anchors: [root.certificate.der],
        timestamp: (request) => stamp(request, at, number),
        revocation: { askOcsp: (_, request) => answer(request, at), fetchCrl: noList },
      })
      return Buffer.concat([signed, tail])
    },
  }
}

export const noList = () => Promise.reject(new Error("There is no list."))

const newClock = (root: Holder, validity: Validity, i: number): Promise<Holder> =>
  newHolder(root, {
    name: `Clock ${i}`,
    keyUsage: ["digitalSignature"],
    extendedKeyUsage: [TIME_STAMPING],
    extendedKeyUsageCritical: true,
    authorityInfoAccess: OCSP,
    ...validity,
  })

function signAt(
  root: Holder,
  { certificate, privateKey }: Holder,
  signedAt: Date,
  base: Uint8Array,
  options: Partial<PrepareOptions>,
): Uint8Array {
  const prepared = prepare(base, {
    fieldName: "Ada",
    certificate: certificate.der,
    chain: [root.certificate.der],
    signedAt,
    ...options,
  })
  const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey)
  return Buffer.concat([base, finish(prepared, value)])
}

let lastToken = 0n

function stampAt(root: Holder, authority: Holder, asked: Uint8Array, genTime: Date): Promise<Uint8Array> {
  lastToken += 1n
  return writeTimestampResponse({
    certificate: authority.certificate,
    chain: [root.certificate],
    algorithm: algorithmOf(authority),
    signBytes: by(authority),
    request: readTimestampRequest(asked),
    policy: "2.25.1",
    serialNumber: lastToken,
    genTime,
  })
}

function answerAt(
  root: Holder,
  revoked: ReadonlyMap<bigint, CertStatus>,
  request: Uint8Array,
  at: Date,
): Promise<Uint8Array> {
  const { certIds, nonce } = readOcspRequest(request)
  return writeOcspResponse({
    entries: certIds.map(({ bytes: certId, serialNumber }) => ({
      certId,
      certStatus: statusAt(revoked.get(serialNumber), at),
      thisUpdate: at,
      nextUpdate: new Date(at.getTime() + HOUR_MS),
    })),
    producedAt: at,
    ...(nonce && { nonce }),
    responder: root.certificate,
    certificates: [],
    algorithm: algorithmOf(root),
    signBytes: by(root),
  })
}

const algorithmOf = ({ kind }: Holder) => (kind === "P-384" ? "ecdsa-sha384" : "ecdsa-sha256")

const by =
  (holder: Holder) =>
  async (bytes: Uint8Array): Promise<Uint8Array> =>
    sign(holder.kind === "P-384" ? "sha384" : "sha256", bytes, holder.privateKey)

function statusAt(status: CertStatus | undefined, at: Date): CertStatus {
  return status?.status === "revoked" && status.revokedAt <= at ? status : { status: "good" }
}
