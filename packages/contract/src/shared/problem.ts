import { Type } from "typebox"
import type { ProblemRow } from "./problems.ts"

/** Decisions, "Errors": RFC 9457 with `method`, `path`, `message` and `key` beside its own members. */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  method: Type.String(),
  path: Type.String(),
  message: Type.String(),
  key: Type.Optional(Type.String()),
})
export type Problem = Type.Static<typeof Problem>

export type ProblemPlace = {
  readonly rootUrl: string
  readonly requestId: string
  readonly method: string
  readonly path: string
}

/** One shape for every version; v3 alone calls it `application/problem+json` (part 7). */
export function writeProblem(row: ProblemRow, detail: string, place: ProblemPlace): Problem {
  return {
    type: `${place.rootUrl}/problem/${row.type}`,
    title: row.title,
    status: row.status,
    detail,
    instance: `urn:uuid:${place.requestId}`,
    method: place.method,
    path: place.path,
    message: detail,
    ...(row.key !== undefined && { key: row.key }),
  }
}
