import { readdirSync, readFileSync } from "node:fs"
import type { TSchema } from "typebox"
import { Value } from "typebox/value"
import type { Json, Version } from "./words.ts"

const CONTRACT = new URL("../", import.meta.resolve("@paraph/contract/shared/fields"))

export type Names = {
  /** The name of a schema that says exactly this, or none. */
  readonly of: (schema: Json) => string | undefined
  /** A sample of the wire for what is named so. */
  readonly sampleOf: (name: string, schema: Json) => unknown
}

/** A schema has the name under which the contract exports it, so that a new one is named without being listed here. */
export async function readNames(version: Version): Promise<Names> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const name = (schema: string, file: string, exported: string) => {
    if (names.has(schema)) return
    const own = [nameOf(file, exported), exported, `${pascal(file)}${exported}`].find(
      (each) => !taken.has(each),
    )
    if (own === undefined) throw new Error(`The contract has two schemas named ${exported}.`)
    names.set(schema, own)
    taken.add(own)
  }
  // What a version says itself comes first, and has the shorter name where two would have the same.
  for (const folder of [version, "shared"])
    for (const file of sourcesIn(folder))
      for (const [exported, value] of await exportsOf(`${folder}/${file}`, version))
        if (isObjectSchema(value)) name(JSON.stringify(value), file.slice(0, -3), exported)
  return {
    of: (schema) => names.get(JSON.stringify(schema)),
    sampleOf,
  }
}

/** Where a schema stands beside one that takes no unknown members, v3 uses the latter, and the name is for that one. */
async function exportsOf(file: string, version: Version): Promise<readonly (readonly [string, unknown])[]> {
  const exported = Object.entries((await import(new URL(file, CONTRACT).href)) as Record<string, unknown>)
  const isFirst = ([name]: readonly [string, unknown]) => name.startsWith("Closed") === (version === "v3")
  return [...exported.filter(isFirst), ...exported.filter((each) => !isFirst(each))]
}

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(`${folder}/`, CONTRACT))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort()

function isObjectSchema(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { type, properties } = value as Json
  return type === "object" && typeof properties === "object"
}

/** `CreateBody` of document.ts is DocumentCreateBody; `Document` and `LoginBody` say enough by themselves. */
function nameOf(file: string, exported: string): string {
  const resource = pascal(file)
  // Some say in their name that they take no unknown members, which the schema says too.
  const name = exported.replace(/^Closed/, "")
  const isPart = /(?:Body|Query|Params)$/.test(name)
  return isPart && !name.includes(resource) ? `${resource}${name}` : name
}

const pascal = (kebab: string): string =>
  kebab.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase())

/** The samples that the contract's own tests read: document.json is a Document, create-document.json what makes one. */
const SAMPLES = readdirSync(new URL("v2/samples/", CONTRACT))
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => ({
    name: pascal(file.slice(0, -".json".length)),
    value: JSON.parse(readFileSync(new URL(`v2/samples/${file}`, CONTRACT), "utf8")) as unknown,
  }))

/** They are of version 2; the others show those that they would take or answer as well. */
function sampleOf(name: string, schema: Json): unknown {
  const words = [name, name.replace(/^(\w+)CreateBody$/, "Create$1"), name.replace(/Body$/, "")]
  return SAMPLES.find((sample) => words.includes(sample.name) && Value.Check(schema as TSchema, sample.value))
    ?.value
}
