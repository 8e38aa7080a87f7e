// How an algorithm is called on this wire (CSC API 2.0, 7.5 and 11.10), and the hash that is sent for it.

import { createHash } from "node:crypto"
import { readDer } from "@paraph/pki/der"
import { type KeyKind, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"

/** One of ours, with the name by which this provider knows it. */
export type CscAlgorithm = {
  readonly name: SignatureAlgorithm
  /** An object identifier. */
  readonly signAlgo: string
}

const SHA256 = "2.16.840.1.101.3.4.2.1"
const SHA384 = "2.16.840.1.101.3.4.2.2"

// What a provider may call the algorithm; the most exact name first. Ed25519 is not here: it signs bytes, and no hash of them.
const NAMES: Partial<Record<SignatureAlgorithm, { readonly hash: string; readonly ids: readonly string[] }>> =
  {
    "ecdsa-sha256": { hash: SHA256, ids: ["1.2.840.10045.4.3.2"] },
    "ecdsa-sha384": { hash: SHA384, ids: ["1.2.840.10045.4.3.3"] },
    "rsa-sha256": { hash: SHA256, ids: ["1.2.840.113549.1.1.11", "1.2.840.113549.1.1.1"] },
    "rsa-pss-sha256": { hash: SHA256, ids: ["1.2.840.113549.1.1.10"] },
  }

/** Those of our own table for such a key that the provider offers, in the order of the table. */
export function offeredAlgorithms(keyKind: KeyKind, offered: readonly string[]): readonly CscAlgorithm[] {
  return (Object.keys(SIGNATURE_ALGORITHMS) as SignatureAlgorithm[]).flatMap((name) => {
    if (SIGNATURE_ALGORITHMS[name].keyKind !== keyKind) return []
    const signAlgo = NAMES[name]?.ids.find((id) => offered.includes(id))
    return signAlgo === undefined ? [] : [{ name, signAlgo }]
  })
}

export function hashOf({ name }: CscAlgorithm, toBeSigned: Uint8Array): Buffer {
  return createHash(SIGNATURE_ALGORITHMS[name].digest).update(toBeSigned).digest()
}

export function hashOid({ name }: CscAlgorithm): string {
  return NAMES[name]?.hash ?? ""
}

/** 11.10: what signatures/signHash is told of the algorithm. */
export function toWire(algorithm: CscAlgorithm): Readonly<Record<string, string>> {
  const { name, signAlgo } = algorithm
  const [, parameters] = readDer(SIGNATURE_ALGORITHMS[name].identifier).children
  return {
    signAlgo,
    hashAlgorithmOID: hashOid(algorithm),
    ...(name === "rsa-pss-sha256" &&
      parameters && { signAlgoParams: Buffer.from(parameters.bytes).toString("base64") }),
  }
}
