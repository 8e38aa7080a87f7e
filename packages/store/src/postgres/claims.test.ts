import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

/**
 * PostgreSQL may run the subquery of `x in (select … limit n for update skip locked)` once for each row of the outer table, as in
 * a nested loop under row policies. Each run skips what the statement has changed and picks n more rows.
 */
const REPEATED = /\bin\s*\(\s*select\b(?:(?!\bselect\b)[^`])*?\blimit\b[^`]*?\bskip locked/i

const store = resolve(import.meta.dirname, "..")
const sources = globSync("**/*.ts", { cwd: store }).filter((path) => !path.endsWith(".test.ts"))

it("no claim picks its rows in a subquery that PostgreSQL may run more than once", () => {
  const claims = sources.filter((path) => /skip locked/i.test(source(path)))
  expect(claims.length).toBeGreaterThan(10)
  expect(claims.filter((path) => REPEATED.test(source(path)))).toEqual([])
})

it("the search finds such a claim, and passes the two forms that run once", () => {
  expect("delete from a where id in (select id from a limit 2 for update skip locked)").toMatch(REPEATED)
  expect("where (a, b) in\n (select a, b from c\n limit $1 for update of c skip locked)").toMatch(REPEATED)
  expect("where id = any (array (select id from a limit 2 for update skip locked))").not.toMatch(REPEATED)
  expect(
    "with due as materialized (select id from a limit 2 for update skip locked) delete from a where id in (select id from due)",
  ).not.toMatch(REPEATED)
})

const source = (path: string): string => readFileSync(join(store, path), "utf8")
