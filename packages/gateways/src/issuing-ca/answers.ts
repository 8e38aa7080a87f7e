// What the authority says of its certificates (RFC 6960): signed beforehand for the world (RFC 5019), or at the moment for ourselves.

import { type CertId, namesIssuer, type OcspRequest, readOcspRequest, writeCertId } from "@paraph/pki/ocsp"
import { type OcspEntry, writeOcspError, writeOcspResponse } from "@paraph/pki/ocsp-writer"
import { ifReadable } from "@paraph/pki/optional"
import type { RevocationReason } from "@paraph/pki/revocation-reason"
import type { Authority, DueAnswer, Issued, Kind } from "./records.ts"
import {
  type Active,
  type AuthorityWorld,
  activate,
  CLOCKS_DIFFER_MS,
  newest,
  revokedSince,
  serialNumberOf,
  serialOf,
} from "./world.ts"

const DAY_MS = 86_400_000
/** Long enough for a weekend on which nothing signs. */
const ANSWER_MS = 4 * DAY_MS
const RENEWED_AFTER_MS = DAY_MS
const AT_ONCE_MS = 3_600_000

type Speaking = { readonly world: AuthorityWorld; readonly rows: readonly Authority[]; readonly now: Date }

/** The answer about one certificate for everybody who will ask, and when the next one is due. */
export async function signAnswer(speaking: Speaking, issuer: Active, issued: Issued): Promise<DueAnswer> {
  const { now } = speaking
  const spoken = { issuer: issuer.certificate.subject, serialNumber: serialNumberOf(issued.serial) }
  // By both digests: RFC 5019 asks with SHA-1, younger clients with SHA-256, and an answer is looked for by the bytes of the question.
  const certIds = (["sha1", "sha256"] as const).map((digest) =>
    writeCertId(spoken, issuer.certificate, digest),
  )
  const status = statusOf(issued, now)
  const { bytes, until } = await sign(speaking, issuer, {
    statuses: certIds.map((certId) => ({ certId, status })),
    forMs: ANSWER_MS,
  })
  const next = new Date(Math.min(now.getTime() + RENEWED_AFTER_MS, until.getTime()))
  return { answer: { bytes, at: now, until }, dueAt: next < issued.notAfter ? next : null }
}

/** Signs what is due of any kind, and what a clock signed that was ahead; several workers may do it at once. Answers how many there were. */
export async function refreshAnswers(world: AuthorityWorld, now: Date, limit: number): Promise<number> {
  const againAt = new Date(now.getTime() + 5 * 60_000)
  const future = new Date(now.getTime() + CLOCKS_DIFFER_MS)
  const due = await world.records.claimDueAnswers({ now, future, againAt, limit })
  // A token that is away holds up its own kind alone.
  const kinds = [...new Set(due.map((one) => one.kind))]
  const done = await Promise.allSettled(
    kinds.map((kind) =>
      answerFor(
        world,
        kind,
        due.filter((one) => one.kind === kind),
        now,
      ),
    ),
  )
  const failed = done.find((one) => one.status === "rejected")
  if (failed !== undefined) throw failed.reason
  return due.length
}

async function answerFor(world: AuthorityWorld, kind: Kind, due: readonly Issued[], now: Date) {
  const rows = await world.records.authorities(kind)
  for (const issued of due) {
    const row = rows.find(({ id }) => id === issued.issuerId)
    const issuer = row && activate(world, row)
    if (!issuer) continue
    // Whoever ended takes the last word with them: the answer that is there stays.
    const isOver = issuer.certificate.notAfter < now
    const next = isOver
      ? { answer: null, dueAt: null }
      : await signAnswer({ world, rows, now }, issuer, issued)
    await world.records.keepAnswer(issued, next)
  }
}

/** Signed at this moment, with the nonce: for workers, who have the keys. */
export async function answerNow(
  world: AuthorityWorld,
  kind: Kind,
  asked: Uint8Array,
  now: Date,
): Promise<Uint8Array> {
  const request = ifReadable(() => readOcspRequest(asked))
  if (request === undefined) return writeOcspError("malformedRequest")
  const rows = await world.records.authorities(kind)
  const issuer = issuerAsked(world, rows, request)
  if (issuer === null) return writeOcspError("unauthorized")
  const statuses: { certId: Uint8Array; status: OcspEntry["certStatus"] }[] = []
  for (const certId of request.certIds) {
    const issued = await issuedAsked(world, issuer, certId)
    if (issued === null) return writeOcspError("unauthorized")
    statuses.push({ certId: certId.bytes, status: statusOf(issued, now) })
  }
  const { nonce } = request
  const spoken = { statuses, forMs: AT_ONCE_MS, ...(nonce && { nonce }) }
  return (await sign({ world, rows, now }, issuer, spoken)).bytes
}

/** Of one issuer: those of another are asked about in a request of their own. */
function issuerAsked(
  world: AuthorityWorld,
  rows: readonly Authority[],
  { certIds }: OcspRequest,
): Active | null {
  for (const row of rows) {
    const active = row.role === "issuing" ? activate(world, row) : null
    if (active !== null && certIds.every((certId) => namesIssuer(certId, active.certificate))) return active
  }
  return null
}

export async function issuedAsked(
  { records }: Pick<AuthorityWorld, "records">,
  { row }: Pick<Active, "row">,
  { serialNumber }: Pick<CertId, "serialNumber">,
): Promise<Issued | null> {
  const serial = serialOf(serialNumber)
  const issued = serial && (await records.findIssued(row.id, serial))
  return issued?.certificate == null ? null : issued
}

function statusOf({ revocation }: Issued, now: Date): OcspEntry["certStatus"] {
  if (revocation === null) return { status: "good" }
  const { reason } = revocation
  // RFC 5280, 5.3.1: unspecified is better left out.
  return {
    status: "revoked",
    revokedAt: revokedSince(revocation, now),
    ...(reason !== "unspecified" && { reason: reason as RevocationReason }),
  }
}

type Spoken = {
  readonly statuses: readonly { readonly certId: Uint8Array; readonly status: OcspEntry["certStatus"] }[]
  readonly forMs: number
  readonly nonce?: Uint8Array
}

async function sign({ world, rows, now }: Speaking, issuer: Active, { statuses, forMs, nonce }: Spoken) {
  // RFC 6960, 4.2.2.2: the delegate of this very issuer; where none is alive just now, the issuer itself.
  const row = newest(rows, "responder", now, issuer.row.id)
  const delegate = row && activate(world, row)
  const speaker = delegate ?? issuer
  const until = new Date(Math.min(now.getTime() + forMs, speaker.certificate.notAfter.getTime()))
  const bytes = await writeOcspResponse({
    entries: statuses.map(({ certId, status }) => ({
      certId,
      certStatus: status,
      thisUpdate: now,
      nextUpdate: until,
      // EN 319 411-2, CSS-6.3.10: what has expired is remembered, from the first certificate on.
      archiveCutoff: issuer.certificate.notBefore,
    })),
    producedAt: now,
    ...(nonce && { nonce }),
    responder: speaker.certificate,
    certificates: delegate ? [delegate.certificate] : [],
    algorithm: speaker.algorithm,
    signBytes: speaker.signBytes,
  })
  return { bytes, until }
}
