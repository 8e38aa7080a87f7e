// The signatures (CSC API 2.0, 11.10 and 11.12). Only hashes go out; a value that comes back is handed on when it verifies
// with the key of the certificate that was put into the document before.

import { readCertificate } from "@paraph/pki/certificate"
import { DerError } from "@paraph/pki/der"
import { encodeSignature } from "@paraph/pki/signature-algorithm"
import { type CscAlgorithm, hashOf, toWire } from "./algorithm.ts"
import { readSignatures, readValues } from "./answer.ts"
import type { Call } from "./call.ts"
import { CscFailed, invalid } from "./failed.ts"

export type CscSigning = {
  /** With the scope `credential`, which is the release; or `service`, and then `sad` is. */
  readonly accessToken: string
  readonly sad?: string
  readonly credentialId: string
  /** DER: the one that the bytes to be signed name. */
  readonly certificate: Uint8Array
  readonly algorithm: CscAlgorithm
  readonly toBeSigned: readonly Uint8Array[]
  /** `clientData`: our name for this signature, by which its bill can be compared with our books. Of no person. */
  readonly reference?: string
  /** The provider answers with a number to ask for the signatures by, as often as need be. */
  readonly asynchronous?: boolean
}

export type CscSigned =
  /** In the order of what was to be signed, as CMS wants them. */
  | { readonly state: "signed"; readonly values: readonly Uint8Array[] }
  | { readonly state: "pending"; readonly responseId: string }

export async function signHash(call: Call, asked: CscSigning): Promise<CscSigned> {
  const { accessToken, sad, credentialId, algorithm, toBeSigned, asynchronous, reference } = asked
  return unsure(async () => {
    const { body } = await call("signatures/signHash", accessToken, {
      credentialID: credentialId,
      ...(sad !== undefined && { SAD: sad }),
      hashes: toBeSigned.map((bytes) => hashOf(algorithm, bytes).toString("base64")),
      ...toWire(algorithm),
      ...(asynchronous === true && { operationMode: "A" }),
      ...(reference !== undefined && { clientData: reference }),
    })
    const answer = readSignatures(body, toBeSigned.length)
    return answer.state === "pending" ? answer : { state: "signed", values: verified(asked, answer.values) }
  })
}

/** Repeated as often as the caller likes: it asks for what was made, and makes nothing. */
export async function signPolling(call: Call, asked: CscSigning, responseId: string): Promise<CscSigned> {
  return unsure(async () => {
    const { status, body } = await call("signatures/signPolling", asked.accessToken, {
      requestID: responseId,
    })
    // 11.12: not done yet.
    if (status === 202) return { state: "pending", responseId }
    return { state: "signed", values: verified(asked, readValues(body, asked.toBeSigned.length)) }
  })
}

function verified(asked: CscSigning, values: readonly Uint8Array[]): readonly Uint8Array[] {
  const { publicKeySpki } = readCertificate(asked.certificate)
  return asked.toBeSigned.map((bytes, index) => {
    try {
      return encodeSignature(asked.algorithm.name, publicKeySpki, bytes, values[index] ?? new Uint8Array())
    } catch (error) {
      if (error instanceof DerError) throw invalid("a signature of something else", { cause: error })
      throw error
    }
  })
}

const UNSURE = ["unreachable", "invalid-answer"]

/** No answer, or one that means nothing, leaves open what has happened there. */
async function unsure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CscFailed) || !UNSURE.includes(error.code)) throw error
    throw new CscFailed(error.code, error.message, { cause: error.cause ?? error, mayHaveSigned: true })
  }
}
