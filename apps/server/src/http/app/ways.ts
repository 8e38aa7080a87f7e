import { createHmac } from "node:crypto"
import type { FastifyReply, FastifyRequest } from "fastify"
import { hashOf, newSecret } from "../../secrets.ts"

type Parts = { readonly publicUrl: string }

/** A browser that goes to somebody else's page and comes back, days later and to another process. */
export type Ways = {
  /** What a new way is known by: the browser holds a secret, the address a state, and the database the hashes of both. */
  readonly begin: (parts: Parts, request: FastifyRequest, reply: FastifyReply) => Way
  /** SHA-256, in hex, of the secret that this browser holds; undefined where it holds none. */
  readonly browserHash: (parts: Parts, request: FastifyRequest) => string | undefined
  /** Null: this browser has gone nowhere, or brings no state. */
  readonly comeBack: (parts: Parts, request: FastifyRequest) => Way | null
}

export type Way = {
  readonly state: string
  readonly hashes: { readonly stateHash: Uint8Array; readonly browserHash: Uint8Array }
  /** Made of the secret and the state: the database knows neither, so that it takes this very browser to go on. */
  readonly made: (what: string) => string
}

/** `purpose` names the cookie, one for all ways of it, so that a second document in another tab does not take the first one's away. */
export function createWays(purpose: string, lifeMs: number): Ways {
  const isHttps = ({ publicUrl }: Parts) => publicUrl.startsWith("https:")
  const cookie = (parts: Parts) => (isHttps(parts) ? `__Host-paraph-${purpose}` : `paraph-${purpose}`)
  const heldBy = (parts: Parts, request: FastifyRequest): string | null => {
    const held = request.cookies[cookie(parts)] ?? ""
    return /^[\w-]{43}$/.test(held) ? held : null
  }
  const wayOf = (secret: string, state: string): Way => ({
    state,
    hashes: { stateHash: hashOf(state), browserHash: hashOf(secret) },
    made: (what) => createHmac("sha256", secret).update(`${purpose} ${what} ${state}`).digest("base64url"),
  })
  return {
    begin: (parts, request, reply) => {
      const secret = heldBy(parts, request) ?? newSecret()
      // Lax: the other page sends the browser back from another site.
      reply.setCookie(cookie(parts), secret, {
        httpOnly: true,
        sameSite: "lax",
        path: "/",
        secure: isHttps(parts),
        maxAge: lifeMs / 1000,
      })
      return wayOf(secret, newSecret())
    },
    browserHash: (parts, request) => {
      const secret = heldBy(parts, request)
      return secret === null ? undefined : Buffer.from(hashOf(secret)).toString("hex")
    },
    comeBack: (parts, request) => {
      const { state } = request.query as { readonly state?: unknown }
      const secret = heldBy(parts, request)
      return typeof state !== "string" || secret === null ? null : wayOf(secret, state)
    },
  }
}
