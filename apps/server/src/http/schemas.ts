import { AjvCompiler } from "@fastify/ajv-compiler"
import { SerializerSelector } from "@fastify/fast-json-stringify-compiler"
import type { FastifyInstance } from "fastify"

/**
 * A process meets few of the schemas in its life: each is compiled when the first call needs it. All at once took half a second of
 * every start. That they compile, all of them, a test sees to.
 */
export function compilesWhenUsed(server: FastifyInstance): void {
  sharesSerializers(server)
  const compile = AjvCompiler()({}, { customOptions: STRICT })
  type Asked = Parameters<typeof compile>[0]
  server.setValidatorCompiler((route) => {
    let validate: ReturnType<typeof compile> | null = null
    const checks: { (data: unknown): unknown; errors?: unknown } = (data) => {
      validate ??= compile(route as Asked)
      const isValid = validate(data)
      // Where Fastify looks for what is wrong.
      checks.errors = validate.errors
      return isValid
    }
    return checks as ReturnType<Parameters<FastifyInstance["setValidatorCompiler"]>[0]>
  })
}

/** What was sent is judged as it is. */
const STRICT = { coerceTypes: false, removeAdditional: false, useDefaults: false } as const

/**
 * A request is answered by fifteen operations of each version. Compiled for each of them, the writers of answers took more
 * memory than all documents on their way; compiled once for a schema, they are shared.
 */
function sharesSerializers(server: FastifyInstance): void {
  const compile = SerializerSelector()({}, {})
  const made = new WeakMap<object, ReturnType<typeof compile>>()
  const writerOf = (route: Parameters<typeof compile>[0]) => {
    const schema = route.schema as object
    const known = made.get(schema) ?? compile(route)
    made.set(schema, known)
    return known as (payload: unknown) => string
  }
  server.setSerializerCompiler((route) => {
    let write: ((payload: unknown) => string) | null = null
    return (payload) => {
      write ??= writerOf(route as Parameters<typeof compile>[0])
      return write(payload)
    }
  })
}
