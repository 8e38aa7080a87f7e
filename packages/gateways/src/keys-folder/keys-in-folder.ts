// The keys of a sandbox: in plain files beside what they sign, so secret in name only. What stands here is what the tokens of an
// operator answer, so that nothing behind it knows the difference; no setting of a real service leads here.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { KeysFailed } from "../keys-pkcs11/failed.ts"
import type { Keys } from "../keys-pkcs11/keys.ts"
import type { KeyAlgorithm } from "../keys-pkcs11/protocol.ts"
import { derivedKey } from "./derived-key.ts"
import { signDigest } from "./sign-digest.ts"

export type FolderSettings = {
  readonly folder: string
  /** The keys follow from it and their labels, where it is given. */
  readonly seed?: string
}

export function keysInFolder({ folder, seed }: FolderSettings): Keys {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fileOf = (label: string) => join(folder, `${Buffer.from(label).toString("base64url")}.pem`)
  const known = new Map<string, KeyObject>()

  const find = (label: string): KeyObject | null => {
    const before = known.get(label)
    if (before !== undefined) return before
    if (!existsSync(fileOf(label))) return null
    const key = createPrivateKey(readFileSync(fileOf(label)))
    known.set(label, key)
    return key
  }
  const must = (label: string): KeyObject => {
    const key = find(label)
    if (key === null) throw new KeysFailed("no-such-key", `There is no key "${label}".`)
    return key
  }
  const sign = async (label: string, data: Uint8Array, algorithm?: SignatureAlgorithm) => {
    const key = must(label)
    const chosen = chosenFor(key, algorithm)
    if (chosen === "ed25519") return signBytes(null, data, key)
    const { digest } = SIGNATURE_ALGORITHMS[chosen]
    // Without a seed nothing has to come out the same twice, and OpenSSL is much faster.
    if (seed === undefined && chosen.startsWith("ecdsa")) return signBytes(digest, data, key)
    return signDigest(chosen, key, createHash(digest).update(data).digest())
  }
  return {
    sign,
    signDigest: async (label, digest, algorithm) => {
      const key = must(label)
      return signDigest(chosenFor(key, algorithm), key, digest)
    },
    publicKey: async (label) => {
      const key = find(label)
      return key && spkiOf(key)
    },
    generate: async (label, algorithm) => {
      if (find(label) !== null) throw new KeysFailed("label-taken", `There is a key "${label}" already.`)
      const key = (seed === undefined ? null : derivedKey(seed, label, algorithm)) ?? randomKey(algorithm)
      writeFileSync(fileOf(label), key.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" })
      known.set(label, key)
      return spkiOf(key)
    },
    destroy: async (label) => {
      known.delete(label)
      rmSync(fileOf(label), { force: true })
    },
    health: async (label) => {
      if (label !== undefined) await sign(label, Buffer.from("Paraph health"))
    },
    processId: () => null,
    close: async () => known.clear(),
  }
}

const spkiOf = (key: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }))

/** The one that was asked for, if the key can do it; else the first of its kind. */
function chosenFor(key: KeyObject, asked: SignatureAlgorithm | undefined): SignatureAlgorithm {
  const kind = kindOf(key)
  const names = Object.keys(SIGNATURE_ALGORITHMS) as SignatureAlgorithm[]
  const able = names.filter((name) => SIGNATURE_ALGORITHMS[name].keyKind === kind)
  const chosen = asked === undefined ? able[0] : able.find((name) => name === asked)
  if (chosen === undefined) throw new KeysFailed("wrong-algorithm", `The key makes no ${asked} signatures.`)
  return chosen
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === "ed25519") return "Ed25519"
  if (asymmetricKeyType === "rsa") return "RSA"
  return asymmetricKeyDetails?.namedCurve === "secp384r1" ? "EC P-384" : "EC P-256"
}

function randomKey(algorithm: KeyAlgorithm): KeyObject {
  switch (algorithm) {
    case "P-256":
    case "P-384":
      return generateKeyPairSync("ec", { namedCurve: algorithm }).privateKey
    case "Ed25519":
      return generateKeyPairSync("ed25519").privateKey
    default:
      return generateKeyPairSync("rsa", { modulusLength: Number(algorithm.slice(4)) }).privateKey
  }
}
