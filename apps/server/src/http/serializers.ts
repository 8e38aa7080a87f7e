import { SerializerSelector } from "@fastify/fast-json-stringify-compiler"
import type { FastifyInstance } from "fastify"

/**
 * A request is answered by fifteen operations of each version. Compiled for each of them, the writers of answers took more
 * memory than all documents on their way; compiled once for a schema, they are shared.
 */
export function sharesSerializers(server: FastifyInstance): void {
  const compile = SerializerSelector()({}, {})
  const made = new WeakMap<object, ReturnType<typeof compile>>()
  server.setSerializerCompiler((route) => {
    const schema = route.schema as object
    const known = made.get(schema) ?? compile(route as Parameters<typeof compile>[0])
    made.set(schema, known)
    return known as (payload: unknown) => string
  })
}
