import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as own from "../testing/own-database.ts"
import { appendAudit, readAudit, readAuditOf } from "./audit-log.ts"

let database: own.OwnDatabase
let tenant: own.Tenant
beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  tenant = await own.insertTenant(database)
})
afterAll(() => database?.close())

it("calls what changed as the interface calls members, in what is written and in rows of before", async () => {
  const { db } = database
  const { businessId } = tenant
  await sql`insert into audit_log (at, actor, act, business_id, target, before, after)
            values (${own.NOW}, 'a@acme.example', 'set-branding', ${businessId}, 'business', '{"senderName": null, "accent": "#112233"}',
                    '{"stopped-webhooks": ["fooBar"]}')`.execute(db)
  const by = { person: null, shellUser: "root" }
  const after = { clientId: "fooBar", newSecret: true, enforced: false }
  await appendAudit(db, { at: own.NOW, by, act: "set-single-sign-on", businessId, target: "business", after })

  const written = { client_id: "fooBar", new_secret: true, enforced: false }
  const { rows } = await sql`select after from audit_log where act = 'set-single-sign-on'`.execute(db)
  expect(rows).toEqual([{ after: written }])
  const expected = [
    { before: null, after: written },
    { before: { sender_name: null, accent: "#112233" }, after: { stopped_webhooks: ["fooBar"] } },
  ]
  expect(await readAudit(db, { businessId, since: null, limit: 10 })).toMatchObject(expected)
  const { entries } = await readAuditOf(db, businessId, { pageSize: 10, olderThan: null })
  expect(entries).toMatchObject(expected)
})
