import { readFile } from "node:fs/promises"
import type { FastifyInstance } from "fastify"
import { swaggerAddress } from "./swagger.ts"
import { FILES, type Json, PATHS, type Version } from "./words.ts"

/** The blessed descriptions. What is served is what was reviewed; a test holds them against the routes. */
const BLESSED = new URL("../../../../../openapi/", import.meta.url)

/** Part 4 and decisions, "no token needed": `/vN/api-docs`. */
export function described(
  app: FastifyInstance,
  parts: { readonly publicUrl: string; readonly validationBaseUrl: string },
  version: Version,
): void {
  const address = () =>
    version === "validation-v1" ? `${parts.validationBaseUrl}/v1` : `${parts.publicUrl}${PATHS[version]}`
  let description: Promise<Json> | undefined
  app.get("/api-docs", { config: { public: true }, schema: { hide: true } }, async (_, reply) => {
    description ??= readDescription(version, address())
    return reply.type("application/json; charset=utf-8").send(await description)
  })
}

/** With the address of this service, so that each region names itself. */
async function readDescription(version: Version, address: string): Promise<Json> {
  const blessed = JSON.parse(await readFile(new URL(FILES[version], BLESSED), "utf8")) as Json
  return version === "v1"
    ? { ...blessed, ...swaggerAddress(address) }
    : { ...blessed, servers: [{ url: address }] }
}
