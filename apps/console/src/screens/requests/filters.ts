import type { Status } from "../../api/types.ts"

/** What the address of the list says; every view of it can be kept and sent to somebody. */
export type Filters = {
  readonly status_overall?: Status
  readonly search?: string
  readonly cursor?: string
}

export const STATUSES = [
  "DRAFT",
  "OPEN",
  "SIGNED",
  "DECLINED",
  "EXPIRED",
  "WITHDRAWN",
  "ERROR",
] as const satisfies readonly Status[]

/** Anything else that stands there is left out, not refused. */
export function readFilters({ status_overall: status, search, cursor }: Record<string, unknown>): Filters {
  const known = STATUSES.find((each) => each === status)
  return {
    ...(known !== undefined && { status_overall: known }),
    ...(typeof search === "string" && search !== "" && { search }),
    ...(typeof search === "number" && { search: String(search) }),
    ...(typeof cursor === "string" && { cursor }),
  }
}
