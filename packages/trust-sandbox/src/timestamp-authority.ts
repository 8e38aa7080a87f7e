// The time-stamping authority of the sandbox (RFC 3161; EN 319 422).

import { DerError } from "@paraph/pki/der"
import { readTimestampRequest, type TimestampRequest } from "@paraph/pki/timestamp"
import {
  refusedTimestamp,
  writeTimestampRejection,
  writeTimestampResponse,
} from "@paraph/pki/timestamp-writer"
import type { Hierarchy } from "./hierarchy.ts"
import type { World } from "./issuer.ts"
import type { TsaMisbehaviour } from "./misbehaviour.ts"

/** An id of nobody's but ours, made from a UUID (X.667, 7). It promises nothing. */
export const TIMESTAMP_POLICY = "2.25.279531712211469855207886457214946912430"

const STALE_MS = 3_600_000

export type TimestampAuthority = (
  asked: Uint8Array,
  staff: Hierarchy,
  how: TsaMisbehaviour | undefined,
) => Promise<Uint8Array>

export function createTimestampAuthority({ now, serialNumber }: World): TimestampAuthority {
  return async (asked, { tsa, issuing }, how) => {
    const request = readRequest(asked)
    if (request === undefined) return writeTimestampRejection("badDataFormat")
    const refused = refusedTimestamp(request, { policy: TIMESTAMP_POLICY })
    if (refused !== undefined) return writeTimestampRejection(refused)
    if (how === "rejection") return writeTimestampRejection("timeNotAvailable", "told to reject")
    const genTime = new Date(now().getTime() - (how === "stale" ? STALE_MS : 0))
    return writeTimestampResponse({
      request: distorted(request, how),
      policy: TIMESTAMP_POLICY,
      serialNumber: serialNumber(asked),
      genTime,
      certificate: await (how === "expired" ? tsa.expired() : tsa.certificate()),
      chain: [issuing.certificate],
      algorithm: tsa.key.algorithm,
      signBytes: tsa.key.signBytes,
    })
  }
}

function readRequest(asked: Uint8Array): TimestampRequest | undefined {
  try {
    return readTimestampRequest(asked)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function distorted(request: TimestampRequest, how: TsaMisbehaviour | undefined): TimestampRequest {
  if (how === "wrong-nonce") return { ...request, nonce: (request.nonce ?? 0n) + 1n }
  if (how !== "wrong-imprint") return request
  const digest = request.imprint.digest.map((octet) => octet ^ 0xff)
  return { ...request, imprint: { ...request.imprint, digest } }
}
