import * as client from "openid-client"
import { OpenIdFailed } from "../openid/failed.ts"
import { OutboundFailed } from "../outbound/failed.ts"
import type { Answer } from "../outbound/outbound.ts"
import { IdentificationFailed } from "./failed.ts"

/** The very bytes that came from an address: what is signed is evidence as it stands. */
export function notingAnswers() {
  const bodies = new Map<string, Uint8Array>()
  return {
    note: (url: string, { body }: Answer) => void bodies.set(url, body),
    textOf: (url: string): string => Buffer.from(bodies.get(url) ?? []).toString("utf8"),
  }
}

const FOR_GOOD: readonly string[] = ["refused-address", "unsupported-url", "unsupported-answer", "too-large"]
const LATER = ["temporarily_unavailable", "server_error"]

/** Every failure is one of three: to be tried again, a no, or an answer that does not count. */
export async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failedOf(error)
  }
}

function failedOf(error: unknown): IdentificationFailed {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof IdentificationFailed) return one
    // A file that is said to lie inside our network, or is too large, is none that comes later.
    if (one instanceof OutboundFailed && !FOR_GOOD.includes(one.code)) return unreachable(error)
    if (one instanceof client.AuthorizationResponseError)
      return LATER.includes(one.error)
        ? unreachable(error)
        : new IdentificationFailed("refused", "The provider, or the person there, has refused.", {
            cause: error,
          })
    if (one.cause instanceof Response && isLater(one.cause.status)) return unreachable(error)
    if (one instanceof client.ResponseBodyError && isLater(one.status)) return unreachable(error)
  }
  const what = error instanceof OpenIdFailed ? error.message : "The provider's answer was not accepted."
  return new IdentificationFailed("invalid-answer", what, { cause: error })
}

const isLater = (status: number): boolean => status >= 500 || status === 429

const unreachable = (cause: unknown): IdentificationFailed =>
  new IdentificationFailed("unreachable", "The provider does not answer at the moment.", { cause })
