// The lists of what an authority has revoked (RFC 5280, 5).

import { keyIdentifier } from "@paraph/pki/certificate-writer"
import { issueCrl } from "@paraph/pki/crl-writer"
import type { RevocationReason } from "@paraph/pki/revocation-reason"
import type { Kind } from "./records.ts"
import {
  type Active,
  type AuthorityWorld,
  activate,
  isAlive,
  isOfTheFuture,
  revokedSince,
  serialNumberOf,
} from "./world.ts"

const DAY_MS = 86_400_000
const LIST_MS = 7 * DAY_MS
const RENEWED_AFTER_MS = DAY_MS
/** Of a root whose key lies elsewhere and is seldom fetched. */
const SELDOM_MS = 400 * DAY_MS
const SELDOM_RENEWED_AFTER_MS = 300 * DAY_MS

export type Rhythm = "daily" | "seldom"

/** Signs each list that is due or is of the future, of every authority that has not ended. Answers the names of those whose key is not here. */
export async function refreshLists(
  world: AuthorityWorld,
  kind: Kind,
  now: Date,
  rootRhythm: Rhythm = "daily",
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const row of await world.records.authorities(kind)) {
    if (row.role !== "root" && row.role !== "issuing") continue
    const active = activate(world, row)
    if (active === null || !isAlive(row, now)) continue
    const before = await world.records.findList(row.id)
    if (before !== null && before.dueAt > now && !isOfTheFuture(before.issuedAt, now)) continue
    const rhythm = row.role === "root" ? rootRhythm : "daily"
    if ((await world.keys(kind, row.role).publicKey(row.keyLabel)) === null) missing.push(row.keyLabel)
    else await signList(world, active, (before?.number ?? 0) + 1, now, rhythm)
  }
  return missing
}

async function signList(world: AuthorityWorld, active: Active, number: number, now: Date, rhythm: Rhythm) {
  const { certificate, row, algorithm, signBytes } = active
  const [validMs, renewedAfterMs] =
    rhythm === "daily" ? [LIST_MS, RENEWED_AFTER_MS] : [SELDOM_MS, SELDOM_RENEWED_AFTER_MS]
  const until = new Date(now.getTime() + validMs)
  const revoked = await world.records.listRevoked(row.id)
  const list = await issueCrl({
    issuer: certificate.subject,
    thisUpdate: now,
    nextUpdate: until,
    crlNumber: BigInt(number),
    authorityKeyIdentifier: certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.publicKeySpki),
    entries: revoked.map(({ serial, at, reason }) => ({
      serialNumber: serialNumberOf(serial),
      revokedAt: revokedSince({ at }, now),
      reason: reason as RevocationReason,
    })),
    algorithm,
    issuerPublicKeySpki: certificate.publicKeySpki,
    signBytes,
  })
  const dueAt = new Date(now.getTime() + renewedAfterMs)
  await world.records.keepList(row.id, { number, list, issuedAt: now, until, dueAt })
}
