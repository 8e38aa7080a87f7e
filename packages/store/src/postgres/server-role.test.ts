import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createOwnDatabase, type OwnDatabase, openAsServer } from "../testing/own-database.ts"
import type { OpenDatabase } from "./database.ts"

let owned: OwnDatabase
let server: OpenDatabase
beforeAll(async () => {
  owned = await createOwnDatabase({ migrated: false })
  server = await openAsServer(owned)
})
afterAll(async () => {
  await server?.close()
  await owned?.close()
})

describe("the role of the server", () => {
  it.each([
    "update evidence set type = 'x'",
    "delete from evidence",
    "truncate evidence",
    "update log_leaf set index = 0",
    "delete from log_leaf",
    "delete from log_checkpoint",
    "update log_checkpoint set note = ''",
    "update log_key set origin = ''",
    "delete from audit_log",
    "alter table evidence disable trigger evidence_is_append_only",
    "set session_replication_role = replica",
    "drop table log_leaf",
    "create table mine (id integer)",
    "delete from migration",
  ])("may not: %s", async (statement) => {
    await expect(sql.raw(statement).execute(server.db)).rejects.toThrow(/permission denied|must be owner/)
  })

  it.each([
    "insert into log_checkpoint (kind, size, note, signed_at) values ('demo', 1, 'one', now())",
    "update log_checkpoint set stamp = '' where size = 1",
    "select count(*) from evidence",
    "delete from log_waiting",
    "delete from story_key",
    "select count(*) from jobs.job",
  ])("may: %s", async (statement) => {
    await expect(sql.raw(statement).execute(server.db)).resolves.toBeDefined()
  })
})
