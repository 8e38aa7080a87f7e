import type { Json, Operation } from "./words.ts"

/** Where an answer has the id of what was made, the operations on it can be reached from there (OpenAPI 3.1, 4.8.20). */
export function linksOf(made: Operation, all: readonly Operation[]): Json | null {
  if (made.method !== "post" || !hasId(made)) return null
  const inside = new RegExp(`^${made.path.replace(/[{}]/g, "\\$&")}/\\{(\\w+)\\}`)
  const links = all.flatMap((operation) => {
    const name = inside.exec(operation.path)?.[1]
    if (name === undefined || operation.path.split("{").length !== made.path.split("{").length + 1) return []
    return [
      [
        operation.operationId,
        { operationId: operation.operationId, parameters: { [name]: "$response.body#/id" } },
      ],
    ]
  })
  return links.length === 0 || made.path.includes("{") ? null : Object.fromEntries(links)
}

/** Or where one of the alternatives has it, as with a dry run. */
const hasId = ({ answers }: Operation): boolean => {
  const { anyOf = [answers["200"] ?? {}] } = (answers["200"] ?? {}) as { anyOf?: readonly Json[] }
  return anyOf.some(({ properties }) => Object.hasOwn((properties ?? {}) as object, "id"))
}
