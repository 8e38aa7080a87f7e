import Fastify from "fastify"
import pino from "pino"
import type { Parts } from "../../parts.ts"
import { v1 } from "../v1/plugin.ts"
import { v2 } from "../v2/plugin.ts"
import { v3 } from "../v3/plugin.ts"
import { validationV1 } from "../validation-v1/plugin.ts"
import { collectOperations } from "./collect.ts"
import { readNames } from "./names.ts"
import { describeVersion, PLACEHOLDER_URL } from "./openapi.ts"
import { asSwagger } from "./swagger.ts"
import type { Json, Version } from "./words.ts"

/** The descriptions of all versions, made of the routes as the server registers them. */
export async function generate(): Promise<Readonly<Record<Version, Json>>> {
  const app = Fastify()
  const operations = collectOperations(app)
  await app.register((scope) => v1(scope, NOBODY), { prefix: "/v1" })
  await app.register((scope) => v2(scope, NOBODY), { prefix: "/v2" })
  await app.register((scope) => v3(scope, NOBODY), { prefix: "/v3" })
  await app.register((scope) => validationV1(scope, NOBODY), { prefix: "/validation/v1" })
  // Compiles every schema, so what is described could also be served.
  await app.ready()
  await app.close()
  const describe = async (version: Version) => describeVersion(version, operations, await readNames(version))
  return {
    v1: asSwagger(await describe("v1")),
    v2: await describe("v2"),
    v3: await describe("v3"),
    "validation-v1": await describe("validation-v1"),
  }
}

/** Routes are registered here and never called, so whatever they ask of the parts meanwhile may be anything. */
const ANYTHING: unknown = new Proxy(() => ANYTHING, {
  get: (_, name) => (name === "then" ? undefined : ANYTHING),
})
const GIVEN = { publicUrl: PLACEHOLDER_URL, log: pino({ level: "silent" }) }
export const NOBODY = new Proxy(GIVEN as unknown as Parts, {
  get: (given, name) => (name in given ? Reflect.get(given, name) : ANYTHING),
})
