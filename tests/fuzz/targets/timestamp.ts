// The Time-Stamp Protocol: the request that an authority reads, the answer that a client reads, and the token.

import { createHash } from "node:crypto"
import { join } from "node:path"
import { DerError, readDer } from "@paraph/pki/der"
import { integer, sequence } from "@paraph/pki/der-writer"
import { readTimestampRequest, readTimestampResponse, timestampRequest } from "@paraph/pki/timestamp"
import { checkTimestamp, readTimestampToken } from "@paraph/pki/timestamp-token"
import { writeTimestampRejection } from "@paraph/pki/timestamp-writer"
import { marksIn } from "../corpus.ts"
import { NONCE, sampleTimestampRequest, sampleToken, sampleWorld } from "../sample-pki.ts"
import { must, same, type Target } from "../target.ts"

const DIGEST = createHash("sha256").update("stamped").digest()

export const timestampRequests: Target = {
  name: "timestamp-request",
  kind: "der",
  seeds: () => [
    sampleTimestampRequest(DIGEST),
    timestampRequest({ digest: DIGEST, digestAlgorithm: "sha256", nonce: 1n, certReq: false }),
  ],
  refusals: [DerError],
  run: (input) => {
    const { imprint, nonce, policy, certReq, extensions } = readTimestampRequest(input)
    const { digest, digestAlgorithm } = imprint
    if (digestAlgorithm === undefined || nonce === undefined || nonce < 0n || nonce >= 1n << 256n)
      return "odd"
    if (extensions.length > 0) return "extensions"
    const again = timestampRequest({ digest, digestAlgorithm, nonce, certReq, ...(policy && { policy }) })
    // An algorithm with NULL and one without are the same; apart from that a request has one encoding.
    must(
      same(withoutImprint(again), withoutImprint(input)),
      "a request, written from what was read, is the same",
    )
    return digestAlgorithm
  },
}

function withoutImprint(der: Uint8Array): Uint8Array {
  return Buffer.concat(readDer(der).children.flatMap(({ bytes }, i) => (i === 1 ? [] : [bytes])))
}

export const timestampResponses: Target = {
  name: "timestamp-response",
  kind: "der",
  seeds: async () => {
    const token = await sampleToken((await sampleWorld()).tsa, DIGEST)
    const granted = sequence(sequence(integer(0)), token)
    return [
      granted,
      writeTimestampRejection("badAlg", "Not this one"),
      writeTimestampRejection("systemFailure"),
    ]
  },
  refusals: [DerError],
  run: (input) => {
    const read = readTimestampResponse(input)
    if (!("token" in read)) return `${read.status} ${read.failInfo.join(" ")}`
    must(same(readDer(read.token, LIMITS).bytes, read.token), "the token is DER")
    return read.status
  },
}

const LIMITS = { maxDepth: 100, maxNodes: 300_000 }

export const timestampTokens: Target = {
  name: "timestamp-token",
  kind: "der",
  seeds: async () => [await sampleToken((await sampleWorld()).tsa, DIGEST)],
  corpus: (folder) => marksIn(join(folder, "dss")).flatMap(tokensIn),
  refusals: [DerError],
  run: async (input) => {
    const token = readTimestampToken(input)
    const verdict = checkTimestamp(token, { digest: DIGEST, digestAlgorithm: "sha256", nonce: NONCE })
    if (!verdict.valid) return verdict.reason
    const { tsa } = await sampleWorld()
    const ours = readTimestampToken(await sampleToken(tsa, DIGEST))
    const [content, theirs] = [ours.signedData.content, token.signedData.content]
    must(
      content !== undefined && theirs !== undefined && same(content, theirs),
      "only what was stamped verifies",
    )
    must(same(verdict.certificate.der, tsa.certificate.der), "no other certificate verifies")
    must(verdict.genTime.getTime() === ours.genTime.getTime(), "the time is the one that was signed")
    return "valid"
  },
}

// A ContentInfo with id-ct-TSTInfo inside, wherever it lies.
function tokensIn(mark: Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(mark)
  const found = bytes.lastIndexOf(Buffer.from("06092a864886f70d010702", "hex"))
  if (found < 8 || bytes[found - 4] !== 0x30 || bytes[found - 3] !== 0x82) return []
  const start = found - 4
  return [new Uint8Array(bytes.subarray(start, start + 4 + bytes.readUInt16BE(start + 2)))]
}
