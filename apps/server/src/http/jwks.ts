import type { FastifyInstance } from "fastify"
import type { Parts } from "../parts.ts"

/** RFC 7517: the public keys that our tokens are signed with. Nobody needs a token to read them. */
export function jwks(server: FastifyInstance, { tokens }: Pick<Parts, "tokens">): void {
  server.get("/.well-known/jwks.json", async (_, reply) =>
    reply
      .type("application/jwk-set+json; charset=utf-8")
      .header("cache-control", "public, max-age=300")
      .send(JSON.stringify({ keys: await tokens.publicKeys() })),
  )
}
