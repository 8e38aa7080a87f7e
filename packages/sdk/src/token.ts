import { type Clock, unlessAborted } from "./clock.ts"

export type Token = {
  /** One that is good for a while; where there is none, the caller waits for the one login of all callers. */
  readonly get: (signal?: AbortSignal) => Promise<string>
  /** The service does not take it any more. One that has taken its place stays. */
  readonly drop: (refused: string) => void
}

type Held = { readonly bearer: string; readonly renewAt: number }

/** A token lives for about 20 minutes (part 5 of the interface); there is no refresh, one logs in again. */
const USUAL_LIFETIME_MS = 20 * 60_000

export function createToken(logIn: () => Promise<string>, clock: Clock): Token {
  let held: Held | null = null
  let coming: Promise<string> | null = null

  const renewed = async (): Promise<string> => {
    const begun = clock.now()
    const bearer = await logIn()
    held = { bearer, renewAt: begun + 0.9 * lifetimeOf(bearer) }
    return bearer
  }
  return {
    get: (signal) => {
      if (held !== null && clock.now() < held.renewAt) return Promise.resolve(held.bearer)
      coming ??= renewed().finally(() => {
        coming = null
      })
      return unlessAborted(coming, signal)
    },
    drop: (refused) => {
      if (held?.bearer === refused) held = null
    },
  }
}

/** As the token itself says; from one time of the service to another, so that no two clocks need to agree. */
function lifetimeOf(bearer: string): number {
  try {
    const { iat, exp } = JSON.parse(atob((bearer.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/")))
    const lifetime = Number.isSafeInteger(iat) && Number.isSafeInteger(exp) ? (exp - iat) * 1000 : 0
    return lifetime > 0 ? lifetime : USUAL_LIFETIME_MS
  } catch {
    return USUAL_LIFETIME_MS
  }
}
