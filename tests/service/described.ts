import { readFileSync } from "node:fs"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import type { Answer, Json } from "./api.ts"

const FILES: Readonly<Record<string, string>> = {
  v1: "v1.swagger.json",
  v2: "v2.json",
  v3: "v3.json",
  "validation/v1": "validation-v1.json",
}

/**
 * SR-29, SR-30: every answer of an operation is one that the blessed description of its version tells of: its status, its
 * media type and its body. Throws where it is not. An address that is no operation is not described.
 */
export function mustBeDescribed(method: string, path: string, answer: Answer): void {
  const [, version = "", rest = ""] = /^\/(v[123]|validation\/v1)(\/[^?]*)/.exec(path) ?? []
  if (version === "") return
  const description = descriptionOf(version)
  const found = description.find(method === "HEAD" ? "get" : method.toLowerCase(), rest)
  if (found === null) return
  const fault = faultOf(description, found, method, answer)
  if (fault !== null)
    throw new Error(`${method} ${path}: openapi/${FILES[version]} does not tell of this answer: ${fault}`)
}

type Found = { readonly pointer: string; readonly operation: Json }
type Description = {
  readonly root: Json
  readonly find: (method: string, path: string) => Found | null
  readonly validator: (pointer: string) => ValidateFunction
}

function faultOf(description: Description, found: Found, method: string, answer: Answer): string | null {
  const { status, bytes } = answer
  const said = found.operation.responses[status]
  if (said === undefined) return `status ${status} ${bytes.toString("utf8", 0, 500)}`
  const pointer = said.$ref?.slice(1) ?? `${found.pointer}/responses/${status}`
  const response = at(description.root, pointer)
  if (method === "HEAD") return null
  const types: readonly string[] =
    response.content !== undefined
      ? Object.keys(response.content)
      : response.schema !== undefined
        ? found.operation.produces
        : []
  if (bytes.length === 0) return types.length === 0 || answer.body === null ? null : "no body"
  const type = (answer.headers.get("content-type") ?? "").split(";", 1)[0] ?? ""
  const match = types.find((each) => each === type || each === "*/*")
  if (match === undefined) return `content type ${type}, where there may be ${types.join(", ") || "none"}`
  if (answer.body === null || response.schema?.format === "binary") return null
  const schema =
    response.content === undefined ? `${pointer}/schema` : `${pointer}/content/${escaped(match)}/schema`
  const validate = description.validator(schema)
  if (validate(answer.body)) return null
  return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ") ?? "?"
}

const known = new Map<string, Description>()

/** Each is read, and each schema compiled, once in a process. */
function descriptionOf(version: string): Description {
  const description = known.get(version) ?? readDescription(version)
  known.set(version, description)
  return description
}

function readDescription(version: string): Description {
  const file = new URL(`../../openapi/${FILES[version]}`, import.meta.url)
  const read = JSON.parse(readFileSync(file, "utf8"))
  const root = version === "v1" ? ofSwagger(read) : read
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema(root, version)
  const validators = new Map<string, ValidateFunction>()
  const templates = Object.keys(root.paths)
    // What is written out comes before what any word fits.
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`) }))
  return {
    root,
    find: (method, path) => {
      const template = templates.find(({ pattern }) => pattern.test(path))?.template
      const operation = template === undefined ? undefined : root.paths[template][method]
      if (template === undefined || operation === undefined) return null
      return { pointer: `/paths/${escaped(template)}/${method}`, operation }
    },
    validator: (pointer) => {
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${version}#${encodeURI(pointer)}` })
      validators.set(pointer, validate)
      return validate
    },
  }
}

/** RFC 6901. */
const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")
const at = (root: Json, pointer: string): Json =>
  pointer
    .slice(1)
    .split("/")
    .reduce((found, name) => found[name.replaceAll("~1", "/").replaceAll("~0", "~")], root)

/** Swagger 2.0 has two words that JSON Schema writes in another way. */
function ofSwagger(value: Json): Json {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(ofSwagger)
  const { "x-nullable": nullable, exclusiveMinimum, minimum, ...others } = value
  const schema = Object.fromEntries(Object.entries(others).map(([name, each]) => [name, ofSwagger(each)]))
  if (minimum !== undefined) schema[exclusiveMinimum === true ? "exclusiveMinimum" : "minimum"] = minimum
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema
}
