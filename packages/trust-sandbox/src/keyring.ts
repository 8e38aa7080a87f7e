// The keys of the sandbox: in memory, thrown away with it; in plain files; or in a PKCS#11 token, like those of a real
// provider.

import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Keys, type KeysSettings, startKeys } from "@paraph/gateways/keys"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"

export type SandboxKey = {
  readonly algorithm: SignatureAlgorithm
  readonly publicKeySpki: Uint8Array
  readonly signBytes: (toBeSigned: Uint8Array) => Promise<Uint8Array>
}

export type Keyring = {
  /** A key of that name: made if the ring has none yet. */
  readonly key: (name: string) => Promise<SandboxKey>
  readonly close: () => Promise<void>
}

export function memoryKeyring(algorithm: SignatureAlgorithm): Keyring {
  const made = new Map<string, SandboxKey>()
  return {
    key: async (name) => {
      const key = made.get(name) ?? memoryKey(algorithm)
      made.set(name, key)
      return key
    },
    close: async () => made.clear(),
  }
}

/** A fresh key for whoever wants a certificate. */
export function memoryKey(algorithm: SignatureAlgorithm): SandboxKey {
  return keyFrom(algorithm, newKey(algorithm))
}

/** Secret only in name: the keys lie beside what they sign. */
export function folderKeyring(folder: string, algorithm: SignatureAlgorithm): Keyring {
  mkdirSync(folder, { recursive: true })
  return {
    key: async (name) => {
      const file = join(folder, `${name.replaceAll(" ", "-")}.pem`)
      if (existsSync(file)) return keyFrom(algorithm, createPrivateKey(readFileSync(file)))
      const key = newKey(algorithm)
      writeFileSync(file, key.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 })
      return keyFrom(algorithm, key)
    },
    close: async () => undefined,
  }
}

/** By a token of ours, or by keys that somebody else has opened. */
export function tokenKeyring(opened: KeysSettings | Keys, algorithm: SignatureAlgorithm): Keyring {
  const keys = "sign" in opened ? opened : startKeys(opened)
  return {
    key: async (name) => ({
      algorithm,
      publicKeySpki: await keyOf(keys, name, algorithm),
      signBytes: (bytes) => keys.sign(name, bytes, algorithm),
    }),
    close: keys.close,
  }
}

function keyFrom(algorithm: SignatureAlgorithm, privateKey: KeyObject): SandboxKey {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" })
  return {
    algorithm,
    publicKeySpki: new Uint8Array(spki),
    signBytes: async (bytes) => signWith(algorithm, privateKey, bytes),
  }
}

function newKey(algorithm: SignatureAlgorithm): KeyObject {
  switch (SIGNATURE_ALGORITHMS[algorithm].keyKind) {
    case "EC P-256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
    case "EC P-384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey
    case "RSA":
      return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
    case "Ed25519":
      return generateKeyPairSync("ed25519").privateKey
  }
}

function signWith(algorithm: SignatureAlgorithm, key: KeyObject, bytes: Uint8Array): Uint8Array {
  if (algorithm === "ed25519") return sign(null, bytes, key)
  const { digest } = SIGNATURE_ALGORITHMS[algorithm]
  if (algorithm !== "rsa-pss-sha256") return sign(digest, bytes, key)
  return sign(digest, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
}

async function keyOf(keys: Keys, label: string, algorithm: SignatureAlgorithm): Promise<Uint8Array> {
  const found = await keys.publicKey(label)
  if (found !== null) return found
  switch (SIGNATURE_ALGORITHMS[algorithm].keyKind) {
    case "EC P-256":
      return keys.generate(label, "P-256")
    case "EC P-384":
      return keys.generate(label, "P-384")
    case "RSA":
      return keys.generate(label, "RSA-2048")
    case "Ed25519":
      throw new TypeError("The tokens make no Ed25519 keys.")
  }
}
