import { createKeyQueue, type KeyQueueSettings, present } from "./key-queue.ts"

const MAX_DATA_BYTES = 1024

export type SecretKeys = {
  /** AES-256-GCM by a key in the token: iv ‖ ciphertext ‖ tag. The context is authenticated and not part of the value. */
  readonly encrypt: (keyLabel: string, data: Uint8Array, context: string) => Promise<Uint8Array>
  readonly decrypt: (keyLabel: string, data: Uint8Array, context: string) => Promise<Uint8Array>
  /** Makes an AES-256 key under a label that is still free. */
  readonly generate: (keyLabel: string) => Promise<void>
  readonly processId: () => number | null
  readonly close: () => Promise<void>
}

/** Secret keys that never leave their device. They get a process of their own, also where they share a token. */
export function startSecretKeys(settings: KeyQueueSettings): SecretKeys {
  const { run, processId, close } = createKeyQueue(settings)
  const { timeoutMs = 5000, generateTimeoutMs = 30_000 } = settings
  return {
    encrypt: async (label, data, context) => {
      if (data.length > MAX_DATA_BYTES) throw new Error("A token encrypts keys, not data.")
      return present(await run({ type: "encrypt", label, data, context: Buffer.from(context) }, timeoutMs))
    },
    decrypt: async (label, data, context) =>
      present(await run({ type: "decrypt", label, data, context: Buffer.from(context) }, timeoutMs)),
    generate: async (label) => {
      await run({ type: "generate-secret", label }, generateTimeoutMs)
    },
    processId,
    close,
  }
}
