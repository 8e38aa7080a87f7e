import type { FastifyInstance } from "fastify"
import type { Parts } from "../parts.ts"

/** RFC 7517: the public keys that our tokens, and evidence of identifications, are signed with. Nobody needs a token to read them. */
export function jwks(
  server: FastifyInstance,
  { tokens, evidenceTokens }: Pick<Parts, "tokens" | "evidenceTokens">,
): void {
  server.get("/.well-known/jwks.json", async (_, reply) =>
    reply
      .type("application/jwk-set+json; charset=utf-8")
      .header("cache-control", "public, max-age=300")
      .send(
        JSON.stringify({ keys: [...(await tokens.publicKeys()), ...(await evidenceTokens.publicKeys())] }),
      ),
  )
}
