import type { SignatureAlgorithm } from "@paraph/pki/signature-algorithm"
import type { KeysFailure } from "./failed.ts"

/** The kinds of keys that a token makes for us. */
export type KeyAlgorithm = "P-256" | "P-384" | "Ed25519" | "RSA-2048" | "RSA-3072" | "RSA-4096"

export type TokenSettings = {
  /** The PKCS#11 module of the device, a shared library. */
  readonly module: string
  readonly tokenLabel: string
  readonly pinFile: string
}

/** One session is one operation at a time, so this is also how many operations run at once. */
export const SESSIONS = 4

/**
 * To be signed, only hashes travel. Which one is signed is the key's kind to say, and that is known where the key is. Ed25519
 * hashes twice, with its own key in it (RFC 8032, 5.1.6): what is short travels whole for that.
 */
export type Digests = {
  readonly sha256: Uint8Array
  readonly sha384: Uint8Array
  readonly whole?: Uint8Array
}
export const MAX_WHOLE_BYTES = 4096

export type Operation =
  | {
      readonly type: "sign"
      readonly label: string
      readonly digests: Digests
      readonly algorithm?: SignatureAlgorithm
    }
  | { readonly type: "public-key"; readonly label: string }
  | { readonly type: "generate"; readonly label: string; readonly algorithm: KeyAlgorithm }
  | { readonly type: "destroy"; readonly label: string }
  | {
      readonly type: "encrypt" | "decrypt"
      readonly label: string
      readonly data: Uint8Array
      readonly context: Uint8Array
    }
  | { readonly type: "generate-secret"; readonly label: string }
  | { readonly type: "ping" }

/**
 * While a key is made, its process does nothing else. SoftHSM2 shows a key that is half made to the other threads of its process:
 * a search that meets one fails with CKR_GENERAL_ERROR, and since locks on files are a process's and not a thread's, another
 * process may find its objects gone (CKR_OBJECT_HANDLE_INVALID). Each would end the process with all that it was doing.
 */
export const isMadeAlone = ({ type }: Operation): boolean => type === "generate" || type === "generate-secret"

export type ToChild =
  | ({ readonly type: "open" } & TokenSettings)
  | { readonly type: "run"; readonly id: number; readonly operation: Operation }

export type Failure = { readonly code: KeysFailure; readonly message: string }

/** A failure without an id concerns the whole process, which ends after saying so. */
export type FromChild =
  | { readonly type: "done"; readonly id: number; readonly value: Uint8Array | null }
  | { readonly type: "failed"; readonly id?: number; readonly failure: Failure }

/**
 * What a process did not find when it looked, it may not find when it is there again: a module remembers what it saw of a token
 * that was damaged or half restored. So whoever asks next asks a process with fresh eyes.
 */
export function blindsTheProcess({ code }: Failure): boolean {
  return code === "no-such-key"
}

/** Any error of the device or of a session is answered by a fresh process with fresh sessions (R33). */
export function endsTheProcess({ code }: Failure): boolean {
  return code === "device" || code === "pin"
}
