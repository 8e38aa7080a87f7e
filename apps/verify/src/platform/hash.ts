// `createHash` of node:crypto, as far as what verifies uses it, over @noble/hashes.

import { md5, sha1 } from "@noble/hashes/legacy.js"
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js"
import { sha3_224, sha3_256, sha3_384, sha3_512 } from "@noble/hashes/sha3.js"

const HASHES = {
  // Keys of encrypted files are made with it; no signature is verified by it.
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  "sha3-224": sha3_224,
  "sha3-256": sha3_256,
  "sha3-384": sha3_384,
  "sha3-512": sha3_512,
} as const

export type HashName = keyof typeof HASHES

export type Hash = {
  readonly update: (data: Uint8Array | string, encoding?: BufferEncoding) => Hash
  readonly digest: Digest
  readonly copy: () => Hash
}

type Digest = {
  (): Buffer
  (encoding: BufferEncoding): string
}

export function hashOf(name: string): (typeof HASHES)[HashName] {
  if (!Object.hasOwn(HASHES, name)) throw new Error("Digest method not supported")
  return HASHES[name as HashName]
}

export function newHash(name: string): Hash {
  return hashing(hashOf(name).create())
}

type Running = ReturnType<(typeof HASHES)[HashName]["create"]>

function hashing(running: Running): Hash {
  function digest(): Buffer
  function digest(encoding: BufferEncoding): string
  function digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(running.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
  const hash: Hash = {
    update: (data, encoding) => {
      running.update(typeof data === "string" ? Buffer.from(data, encoding) : data)
      return hash
    },
    digest,
    copy: () => hashing(running.clone() as Running),
  }
  return hash
}
