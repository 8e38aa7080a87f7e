import { expect, it } from "vitest"
import { nameOf } from "./named.ts"

const isNamed = (text: string) => nameOf(text) !== null

it("what writes rows is planned once, by a name that is made of its text", () => {
  const text = `insert into "event" ("id", "kind") values ($1, $2)`
  expect(nameOf(text)).toMatch(/^[\w-]{22}$/)
  expect(nameOf(text)).toBe(nameOf(text))
  expect(nameOf(text)).not.toBe(nameOf(`${text}, ($3, $4)`))
  const others = [
    `\n  update story s set last_seq = last_seq + $1 where s.id = $2`,
    `delete from "mark" where "signature_id" in ($1)`,
    `with "made" as (insert into "evidence" ("seq") values ($1) returning "position") insert into "log_waiting" select 1`,
  ]
  expect(others.map(isNamed)).toEqual([true, true, true])
})

it("what reads is planned once only where it says so: the best plan of a list depends on what is asked for", () => {
  expect(isNamed(`select "id" from "document" where "id" = $1`)).toBe(false)
  expect(isNamed(`with found as (select "id" from "document") select "id" from found`)).toBe(false)
  expect(isNamed(`select "id" from "document" where "id" = $1 /* planned once */`)).toBe(true)
  expect(nameOf(`/* whole-request */ select 1`)).toBe("whole-request")
})

it("no statement whose columns a later version may change, that takes what it finds, that is about any number of rows, or that is several", () => {
  const never = [
    `insert into "event" ("id") values ($1) returning *`,
    `with "taken" as (update "delivery" set "state" = $1 returning "delivery".*) select "id" from "taken"`,
    `select "document".* from "document" where "id" = $1 /* planned once */`,
    `update job set state = 'active' where id in (select id from job limit 1 for update skip locked)`,
    `with results as (update jobs.job set state = 'completed' where name = $1 and id = ANY($2::uuid[]) returning id) select count(*) from results`,
    `insert into business (id) values ($1); insert into api_user (id) values ($2)`,
    `insert into "event" ("id") values ${"($1), ".repeat(3000)}($2)`,
  ]
  expect(never.filter(isNamed)).toEqual([])
})
