// The digests that we know by name, and AlgorithmIdentifiers (RFC 5280, 4.1.1.2; RFC 5754, 2; for SHA-3 RFC 8702, 3.1 and FIPS 202).

import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from "../der/der.ts"
import { oid, sequence } from "../der/der-writer.ts"

const DIGESTS = {
  sha1: "1.3.14.3.2.26",
  sha224: "2.16.840.1.101.3.4.2.4",
  sha256: "2.16.840.1.101.3.4.2.1",
  sha384: "2.16.840.1.101.3.4.2.2",
  sha512: "2.16.840.1.101.3.4.2.3",
  "sha3-224": "2.16.840.1.101.3.4.2.7",
  "sha3-256": "2.16.840.1.101.3.4.2.8",
  "sha3-384": "2.16.840.1.101.3.4.2.9",
  "sha3-512": "2.16.840.1.101.3.4.2.10",
} as const

/** As node:crypto spells it. SHA-1 is read only: whoever relies on a signature decides if it still counts. */
export type DigestName = keyof typeof DIGESTS

/** RFC 5754, 2: parameters are absent. */
export function digestIdentifier(digest: DigestName): Uint8Array {
  return sequence(oid(DIGESTS[digest]))
}

/** The digest that an AlgorithmIdentifier names; undefined for one that we do not know. */
export function digestAlgorithmName(identifier: Uint8Array): DigestName | undefined {
  const { algorithm, parameters } = readIdentifier(readDer(identifier))
  // RFC 5754, 2: absent parameters and NULL mean the same, and both must be read.
  if (parameters !== undefined && parameters.tag !== TAG.null)
    throw new DerError("a digest algorithm with parameters")
  return (Object.keys(DIGESTS) as DigestName[]).find((name) => DIGESTS[name] === algorithm)
}

export function isDigestName(name: string): name is DigestName {
  return Object.hasOwn(DIGESTS, name)
}

export function readIdentifier(node: DerNode | undefined): {
  algorithm: string
  parameters: DerNode | undefined
} {
  const [algorithm, parameters, ...rest] = expectTag(node, TAG.sequence, "algorithm").children
  if (rest.length > 0) throw new DerError("an algorithm of more than two parts")
  return { algorithm: readOid(algorithm, "algorithm"), parameters }
}
