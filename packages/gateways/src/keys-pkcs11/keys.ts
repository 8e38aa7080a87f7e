import { createHash, createPublicKey, verify } from "node:crypto"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { KeysFailed } from "./failed.ts"
import { createKeyQueue, type KeyQueueSettings, present } from "./key-queue.ts"
import { type KeyAlgorithm, MAX_WHOLE_BYTES } from "./protocol.ts"

export type KeysSettings = KeyQueueSettings

export type Keys = {
  /**
   * The value as X.509 and CMS want it (Ecdsa-Sig-Value for an EC key). Without an algorithm it is the one of the key's
   * kind: ECDSA with the hash of the curve's size, PKCS#1 v1.5 with SHA-256, or Ed25519, which takes at most 4,096 octets.
   */
  readonly sign: (keyLabel: string, data: Uint8Array, algorithm?: SignatureAlgorithm) => Promise<Uint8Array>
  /** The same of a hash that somebody else has made, as a remote signing provider gets it. */
  readonly signDigest: (
    keyLabel: string,
    digest: Uint8Array,
    algorithm: SignatureAlgorithm,
  ) => Promise<Uint8Array>
  /** SubjectPublicKeyInfo, or null where the token has no such key. */
  readonly publicKey: (keyLabel: string) => Promise<Uint8Array | null>
  /** Makes a key pair under a label that is still free; answers its SubjectPublicKeyInfo. */
  readonly generate: (keyLabel: string, algorithm: KeyAlgorithm) => Promise<Uint8Array>
  /** Both halves of the pair, for good. One that is gone already is no fault: whoever died in between asks again. */
  readonly destroy: (keyLabel: string) => Promise<void>
  /** Rejects where the token cannot be used; with a label, by a real signature that is verified here. */
  readonly health: (keyLabel?: string) => Promise<void>
  readonly processId: () => number | null
  readonly close: () => Promise<void>
}

/** Keys that never leave their device. The device lives in a child process that may die or hang at any time. */
export function startKeys(settings: KeysSettings): Keys {
  const { run, processId, close } = createKeyQueue(settings)
  const { timeoutMs = 5000, generateTimeoutMs = 30_000 } = settings

  const publicKey = (label: string) => run({ type: "public-key", label }, timeoutMs)
  const sign = async (label: string, data: Uint8Array, algorithm?: SignatureAlgorithm) => {
    const digest = (name: string) => createHash(name).update(data).digest()
    const mayBeEd25519 = algorithm === undefined || algorithm === "ed25519"
    const whole = mayBeEd25519 && data.length <= MAX_WHOLE_BYTES ? { whole: data } : {}
    const digests = { sha256: digest("sha256"), sha384: digest("sha384"), ...whole }
    const asked = algorithm === undefined ? {} : { algorithm }
    return present(await run({ type: "sign", label, digests, ...asked }, timeoutMs))
  }
  const signDigest = async (label: string, digest: Uint8Array, algorithm: SignatureAlgorithm) =>
    present(
      await run({ type: "sign", label, digests: { sha256: digest, sha384: digest }, algorithm }, timeoutMs),
    )
  const generate = async (label: string, algorithm: KeyAlgorithm) =>
    present(await run({ type: "generate", label, algorithm }, generateTimeoutMs))
  const destroy = async (label: string) => void (await run({ type: "destroy", label }, timeoutMs))
  const health = async (label?: string) => {
    await run({ type: "ping" }, timeoutMs)
    if (label === undefined) return
    const data = Buffer.from("Paraph health")
    const signature = await sign(label, data)
    const key = createPublicKey({
      key: Buffer.from(present(await publicKey(label))),
      format: "der",
      type: "spki",
    })
    const ofCurve = key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "sha384" : "sha256"
    const hash = key.asymmetricKeyType === "ed25519" ? null : ofCurve
    if (!verify(hash, data, key, signature)) throw new KeysFailed("device", "The test signature is wrong.")
  }
  return { sign, signDigest, publicKey, generate, destroy, health, processId, close }
}
