// What may be asked of S3 once more, and for how long.
import { setTimeout as sleep } from "node:timers/promises"
import { isPartDown } from "../part-down.ts"
import type { S3 } from "./s3-client.ts"

/** Asks until it is answered; only for what may be asked twice. Silence is not repeated: somebody is waiting. */
export async function repeatedly<T>(s3: S3, ask: () => Promise<T>): Promise<T> {
  for (const pauseMs of s3.timing.pausesMs) {
    try {
      return await ask()
    } catch (error) {
      if (!mayPass(error) || isSilence(error) || s3.isClosed()) throw error
    }
    await sleep(pauseMs)
  }
  return ask()
}

/** A call that ends after so long, with an error that says why. */
export async function within<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms)
  try {
    return await call(signal)
  } catch (error) {
    throw signal.aborted ? silence(ms, error) : error
  }
}

export const silence = (ms: number, cause?: unknown): Error =>
  Object.assign(new Error(`The bucket did not answer within ${ms} ms.`, { cause }), { name: "TimeoutError" })

/** The client calls a connection that was reset by the same name; that one has a code, and took no time. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.name === "TimeoutError" && !("code" in error)

export const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

/** Whether another attempt could fare better. */
export const mayPass = isPartDown
