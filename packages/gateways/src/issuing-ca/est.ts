// Certificates of somebody else's authority, by Enrollment over Secure Transport (RFC 7030).

import { createHash, createPublicKey } from "node:crypto"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { writeCertificateRequest } from "@paraph/pki/certificate-request"
import { writeKeyUsage, writeName } from "@paraph/pki/certificate-writer"
import { EXTENSION } from "@paraph/pki/extensions"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { Keys } from "../keys-pkcs11/keys.ts"
import type { CertificateOrder, IssueCertificate, IssuedCertificate } from "./built-in.ts"
import { checkIssued } from "./check-issued.ts"
import { type EstServer, enroll, issuersOf } from "./est-call.ts"
import { IssuingFailed } from "./failed.ts"
import type { Kind } from "./records.ts"
import { subjectName } from "./subject.ts"

/** What was asked, in whose hands ever: `@paraph/store/postgres/certificate-requests`. */
export type RequestRecords = {
  readonly find: (of: Asked) => Promise<Recorded | null>
  readonly record: (request: Omit<Recorded, "askAt" | "issued">, at: Date) => Promise<void>
  readonly claim: (of: Asked, now: Date, until: Date) => Promise<boolean>
  readonly askAgainAt: (of: Asked, at: Date) => Promise<void>
  readonly complete: (of: Asked, issued: IssuedCertificate) => Promise<void>
}

type Asked = { readonly kind: Kind; readonly orderId: string }

type Recorded = Asked & {
  readonly orderHash: Uint8Array
  readonly request: Uint8Array
  readonly askAt: Date
  readonly issued: IssuedCertificate | null
}

export type EstWorld = {
  readonly records: RequestRecords
  readonly keys: (kind: Kind) => Pick<Keys, "sign">
  readonly server: EstServer
  /** The roots that its certificates must lead to; what the server itself says of that is not believed. */
  readonly anchors: readonly Certificate[]
}

/** Longer than a call may take: whoever claimed may have died. */
const CLAIM_MS = 120_000
const WRONG_MS = 3_600_000

/**
 * The request is on record before it is sent, and the same one is sent again where the server asks for patience (RFC 7030, 4.2.3).
 * Only whoever dies between the answer and its record has it asked a second time.
 */
export function createEstAuthority(world: EstWorld): IssueCertificate {
  const { records, server } = world
  return async (order, now) => {
    const asked = { kind: order.kind, orderId: order.id }
    const before = (await records.find(asked)) ?? (await record(world, order, now))
    const subject = writeName(subjectName(order.subject))
    if (Buffer.compare(before.orderHash, hashOf(order, subject)) !== 0)
      throw new IssuingFailed("another-order", "This was ordered before, for another name or key.")
    if (before.issued !== null) return before.issued
    if (!(await records.claim(asked, now, new Date(now.getTime() + CLAIM_MS)))) {
      const { issued, askAt } = (await records.find(asked)) ?? before
      if (issued !== null) return issued
      throw pending(Math.ceil((askAt.getTime() - now.getTime()) / 1000))
    }
    const told = await asking(server, before.request).catch(async (error: unknown) => {
      // It was not taken, or nobody knows: whoever comes next may ask at once.
      await records.askAgainAt(asked, now)
      throw error
    })
    if ("retryAfterSeconds" in told) {
      await records.askAgainAt(asked, new Date(now.getTime() + told.retryAfterSeconds * 1000))
      throw pending(told.retryAfterSeconds)
    }
    const expected = { subject, publicKeySpki: order.publicKeySpki, anchors: world.anchors, now }
    const issued = await checked(
      () => checkIssued(told.certificates, { ...expected, issuers: told.issuers }),
      () => records.askAgainAt(asked, new Date(now.getTime() + WRONG_MS)),
    )
    await records.complete(asked, issued)
    return (await records.find(asked))?.issued ?? issued
  }
}

/** Its own certificates first: nothing is asked between the one that was issued and its record. */
async function asking(server: EstServer, request: Uint8Array) {
  const issuers = await issuersOf(server)
  return { issuers, ...(await enroll(server, request)) }
}

/** Whoever answers wrong is not asked again and again for it. */
async function checked<T>(check: () => T, putOff: () => Promise<void>): Promise<T> {
  try {
    return check()
  } catch (error) {
    await putOff()
    throw error
  }
}

async function record({ records, keys }: EstWorld, order: CertificateOrder, now: Date): Promise<Recorded> {
  const subject = writeName(subjectName(order.subject))
  const algorithm = algorithmOf(order.publicKeySpki)
  const request = await writeCertificateRequest({
    subject,
    publicKeySpki: order.publicKeySpki,
    extensions: [
      {
        id: EXTENSION.keyUsage,
        critical: true,
        value: writeKeyUsage(["digitalSignature", "contentCommitment"]),
      },
    ],
    algorithm,
    signBytes: (bytes) => keys(order.kind).sign(order.keyLabel, bytes, algorithm),
  })
  const asked = { kind: order.kind, orderId: order.id }
  await records.record({ ...asked, orderHash: hashOf(order, subject), request }, now)
  const recorded = await records.find(asked)
  if (recorded === null) throw new Error("The request is not on record.")
  return recorded
}

const pending = (seconds: number) =>
  new IssuingFailed("pending", "The authority takes its time.", { retryAfterSeconds: Math.max(1, seconds) })

function hashOf({ publicKeySpki }: CertificateOrder, subject: Uint8Array): Uint8Array {
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()
  return createHash("sha256").update(digest(publicKeySpki)).update(digest(subject)).digest()
}

function algorithmOf(publicKeySpki: Uint8Array): SignatureAlgorithm {
  const key = createPublicKey({ key: Buffer.from(publicKeySpki), format: "der", type: "spki" })
  if (key.asymmetricKeyType === "rsa") return "rsa-sha256"
  return key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "ecdsa-sha384" : "ecdsa-sha256"
}

/** PEM or DER of the roots, read once. */
export const readAnchors = (ders: readonly Uint8Array[]): readonly Certificate[] => ders.map(readCertificate)
