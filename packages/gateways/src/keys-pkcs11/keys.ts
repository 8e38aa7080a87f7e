import { createHash, createPublicKey, verify } from "node:crypto"
import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import { KeysFailed } from "./failed.ts"
import { type Call, type KeyProcess, startKeyProcess } from "./key-process.ts"
import { type KeyAlgorithm, type Operation, SESSIONS, type TokenSettings } from "./protocol.ts"

export type KeysSettings = TokenSettings & {
  /** The whole environment of the child, e.g. what the vendor's module asks for. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly generateTimeoutMs?: number
}

export type Keys = {
  /**
   * The value as X.509 and CMS want it (Ecdsa-Sig-Value for an EC key). Without an algorithm it is the one of the key's
   * kind: ECDSA with the hash of the curve's size, or PKCS#1 v1.5 with SHA-256.
   */
  readonly sign: (keyLabel: string, data: Uint8Array, algorithm?: SignatureAlgorithm) => Promise<Uint8Array>
  /** SubjectPublicKeyInfo, or null where the token has no such key. */
  readonly publicKey: (keyLabel: string) => Promise<Uint8Array | null>
  /** Makes a key pair under a label that is still free; answers its SubjectPublicKeyInfo. */
  readonly generate: (keyLabel: string, algorithm: KeyAlgorithm) => Promise<Uint8Array>
  /** Rejects where the token cannot be used; with a label, by a real signature that is verified here. */
  readonly health: (keyLabel?: string) => Promise<void>
  readonly processId: () => number | null
  readonly close: () => Promise<void>
}

const MAX_WAITING = 1000

/** Keys that never leave their device. The device lives in a child process that may die or hang at any time. */
export function startKeys(settings: KeysSettings): Keys {
  const { run, processId, close } = createQueue(settings)
  const { timeoutMs = 5000, generateTimeoutMs = 30_000 } = settings

  const publicKey = (label: string) => run({ type: "public-key", label }, timeoutMs)
  const sign = async (label: string, data: Uint8Array, algorithm?: SignatureAlgorithm) => {
    const digest = (name: string) => createHash(name).update(data).digest()
    const digests = { sha256: digest("sha256"), sha384: digest("sha384") }
    const asked = algorithm === undefined ? {} : { algorithm }
    return present(await run({ type: "sign", label, digests, ...asked }, timeoutMs))
  }
  const generate = async (label: string, algorithm: KeyAlgorithm) =>
    present(await run({ type: "generate", label, algorithm }, generateTimeoutMs))
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
    const hash = key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "sha384" : "sha256"
    if (!verify(hash, data, key, signature)) throw new KeysFailed("device", "The test signature is wrong.")
  }
  return { sign, publicKey, generate, health, processId, close }
}

function present(value: Uint8Array | null): Uint8Array {
  if (value === null) throw new KeysFailed("device", "The token gave no answer.")
  return value
}

/** Hands out as many calls as the process has sessions; the others wait here, where its death does not touch them. */
function createQueue(settings: KeysSettings) {
  const waiting: Call[] = []
  let current: KeyProcess | null = null
  let refusal: KeysFailed | null = null

  const onEnd = (why: KeysFailed) => {
    current = null
    // A wrong PIN stays wrong, and each try brings the token nearer to locking itself.
    if (why.code === "pin") refusal ??= why
    queueMicrotask(onFree)
  }
  const onFree = () => {
    if (refusal !== null) for (const call of waiting.splice(0)) call.reject(refusal)
    while (waiting.length > 0 && (current === null || current.load() < SESSIONS)) {
      const call = waiting.shift()
      current ??= startKeyProcess(settings, settings.env, { onFree, onEnd })
      if (call !== undefined) current.run(call)
    }
  }
  const run = (operation: Operation, timeoutMs: number) =>
    new Promise<Uint8Array | null>((resolve, reject) => {
      if (refusal !== null) return reject(refusal)
      if (waiting.length >= MAX_WAITING)
        return reject(new KeysFailed("busy", "Too many calls wait for the token."))
      waiting.push({ operation, timeoutMs, resolve, reject })
      onFree()
    })
  const close = async () => {
    refusal = new KeysFailed("closed", "The keys are closed.")
    const last = current
    onFree()
    if (last === null) return
    const gone = new Promise((resolve) => last.process.once("exit", resolve))
    last.end(refusal)
    await gone
  }
  return { run, close, processId: () => current?.process.pid ?? null }
}
