import type { KeysFailure } from "./failed.ts"

export type KeyAlgorithm = "P-256" | "RSA-3072"

export type TokenSettings = {
  /** The PKCS#11 module of the device, a shared library. */
  readonly module: string
  readonly tokenLabel: string
  readonly pinFile: string
}

/** One session is one operation at a time, so this is also how many operations run at once. */
export const SESSIONS = 4

export type Operation =
  | { readonly type: "sign"; readonly label: string; readonly digest: Uint8Array }
  | { readonly type: "public-key"; readonly label: string }
  | { readonly type: "generate"; readonly label: string; readonly algorithm: KeyAlgorithm }
  | { readonly type: "ping" }

export type ToChild =
  | ({ readonly type: "open" } & TokenSettings)
  | { readonly type: "run"; readonly id: number; readonly operation: Operation }

export type Failure = { readonly code: KeysFailure; readonly message: string }

/** A failure without an id concerns the whole process, which ends after saying so. */
export type FromChild =
  | { readonly type: "done"; readonly id: number; readonly value: Uint8Array | null }
  | { readonly type: "failed"; readonly id?: number; readonly failure: Failure }

/** Any error of the device or of a session is answered by a fresh process with fresh sessions (R33). */
export function endsTheProcess({ code }: Failure): boolean {
  return code === "device" || code === "pin"
}
