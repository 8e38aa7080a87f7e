// For the tests: what our own readers say of an answer of the sandbox, or the error with which they refused it.

import { createHash, randomBytes } from "node:crypto"
import { readCertificate } from "@paraph/pki/certificate"
import { checkOcsp } from "@paraph/pki/check-ocsp"
import { ocspRequest } from "@paraph/pki/ocsp"
import { readOcspResponse } from "@paraph/pki/ocsp-response"
import { readTimestampResponse, timestampRequest } from "@paraph/pki/timestamp"
import { checkTimestamp, readTimestampToken } from "@paraph/pki/timestamp-token"
import type { TrustSandbox } from "../sandbox.ts"
import { post } from "./relying-party.ts"

export async function judgedStamp({ timestampUrl }: TrustSandbox): Promise<unknown> {
  const digest = createHash("sha256").update("what is to be stamped").digest()
  const nonce = BigInt(`0x${randomBytes(8).toString("hex")}`)
  const asked = { digest, digestAlgorithm: "sha256", nonce } as const
  const reply = await post(timestampUrl, "application/timestamp-query", timestampRequest(asked))
  try {
    const response = readTimestampResponse(reply)
    return "token" in response ? checkTimestamp(readTimestampToken(response.token), asked) : response
  } catch (error) {
    return error
  }
}

export async function judgedStatus(
  sandbox: TrustSandbox,
  der: Uint8Array,
  at = new Date(),
): Promise<unknown> {
  const certificate = readCertificate(der)
  const issuer = readCertificate(sandbox.issuing)
  const nonce = new Uint8Array(randomBytes(16))
  const request = ocspRequest({ certificate, issuer, nonce })
  const reply = await post(`${sandbox.url}/ocsp/issuing`, "application/ocsp-request", request)
  try {
    return checkOcsp(readOcspResponse(reply), { certificate, issuer, at, nonce })
  } catch (error) {
    return error
  }
}
