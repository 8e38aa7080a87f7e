import { SETTINGS } from "@paraph/server/config"
import { expect, it } from "vitest"
import { settingsTable } from "./config.ts"

it("the table of settings has one row for each, with what it is when absent", () => {
  const [head, line, ...rows] = settingsTable().split("\n")
  expect([head, line]).toEqual(["| setting | when absent | what it is |", "|---|---|---|"])
  expect(rows.map((row) => /^\| `(\w+)` \|/.exec(row)?.[1])).toEqual(Object.keys(SETTINGS))
  expect(rows).toContain("| `DATABASE_URL` | must be given | PostgreSQL address. |")
  expect(rows.find((row) => row.includes("`ROLES`"))).toContain("| `api,validation,worker` |")
  expect(rows.find((row) => row.includes("`OUTBOUND_PROXY`"))).toContain("| empty |")
  expect(rows.find((row) => row.includes("`SANDBOX`"))).toContain("| `false` |")
})

it("no row of the table is broken by what a setting says", () => {
  for (const row of settingsTable().split("\n")) expect(row.split("|")).toHaveLength(5)
})
