import { randomBytes, randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { newKey, wrapKey } from "@paraph/seal/wrap"
import { runner } from "node-pg-migrate"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createBusinessKeys } from "../keys/business-keys.ts"
import { createOwnDatabase, NOW, type OwnDatabase, plainDetails } from "../testing/own-database.ts"
import { createOwnKeys } from "../testing/own-keys.ts"
import { migrate } from "./migrate.ts"
import { createRead } from "./transact.ts"

let database: OwnDatabase

beforeEach(async () => {
  database = await createOwnDatabase({ migrated: false })
})
afterEach(() => database?.close())

const query = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])

it("the second migration brings keys, documents and readers of the first one along", async () => {
  await runner({
    databaseUrl: database.url,
    dir: fileURLToPath(new URL("./migrations", import.meta.url)),
    direction: "up",
    migrationsTable: "migration",
    count: 1,
    log: () => undefined,
  })
  const operator = createOwnKeys()
  const acme = await insertBusiness(operator.keyOf("file:old"))
  const other = await insertBusiness(operator.keyOf("file:old"))
  const parent = await insertDocument(acme, { read: ["ann", "bob", "ann"], write: ["bob", acme.username] })
  const child = await insertDocument(acme, { parent, production: true })
  const theirs = await insertDocument(other, { read: ["ann"] })

  expect((await migrate(database.url))[0]).toBe("0002_documents-at-hand")

  const { rows: readers } = await query(
    "select document_id, business_id, kind, username, created_at from document_reader order by 2, 3, 1, 4",
  )
  const row = (id: string, business: Business, kind: string, username: string) => ({
    document_id: id,
    business_id: business.id,
    kind,
    username,
    created_at: NOW,
  })
  expect(new Set(readers)).toEqual(
    new Set([
      row(parent, acme, "demo", acme.username),
      row(parent, acme, "demo", "ann"),
      row(parent, acme, "demo", "bob"),
      row(child, acme, "production", acme.username),
      row(theirs, other, "demo", other.username),
      row(theirs, other, "demo", "ann"),
    ]),
  )
  expect(readers).toHaveLength(6)

  const keys = createBusinessKeys(database.db, operator.ring("pkcs11:new", "file:old"), () => NOW)
  for (const business of [acme, other])
    expect(await keys.newest(business.id)).toEqual({ version: 1, key: business.key })

  const read = createRead(database.db, plainDetails)
  const found = await read(acme.id, (reading) => reading.findDocuments([parent, child]))
  expect(found).toMatchObject([
    {
      id: parent,
      parentId: null,
      removingSince: null,
      pdfa: null,
      signatureFields: [],
      owner: acme.username,
    },
    { id: child, parentId: parent, blob: { keyVersion: 1 } },
  ])
  const caller = {
    businessId: acme.id,
    userId: acme.userId,
    username: "bob",
    keyId: "",
    kind: "demo",
  } as const
  const page = await read(acme.id, (reading) =>
    reading.listDocuments(caller, { pageSize: 10, search: null, from: { type: "page", number: 1 } }),
  )
  expect(page.documents.map(({ id }) => id)).toEqual([parent])
})

it("a document may be removed before the one that was made of it", async () => {
  await migrate(database.url)
  const { rows } = await query(
    "select conname from pg_constraint where conrelid = 'document'::regclass and confrelid = 'document'::regclass",
  )
  expect(rows).toEqual([])
})

it("whatever names a document or a business's key has an index by it: else each removal would read a whole table", async () => {
  await migrate(database.url)
  const { rows } = await query(`
    select c.conrelid::regclass::text as "table", a.attname as "column",
           exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
                    and i.indpred is null) as indexed
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid in ('document'::regclass, 'business_key'::regclass)`)
  expect(rows.length).toBeGreaterThanOrEqual(8)
  expect(rows.filter(({ indexed }) => !indexed)).toEqual([])
})

it("names of objects are in the order of the bucket, whatever the language of the database", async () => {
  await migrate(database.url)
  const names = [
    "documents/0a",
    "documents/0-",
    "documents/0.",
    "documents/09",
    "documents/f-a",
    "documents/fa",
  ]
  await query("insert into loose_blob (name, due_at) select unnest($1::text[]), now()", [names])
  const { rows } = await query("select name from loose_blob order by name")
  expect(rows.map(({ name }) => name)).toEqual([...names].sort())
  const { rows: columns } = await query(
    "select collation_name from information_schema.columns where column_name = 'blob_name'",
  )
  expect(new Set(columns.map((column) => column.collation_name))).toEqual(new Set(["C"]))
})

type Business = { id: string; userId: string; username: string; key: Uint8Array }

async function insertBusiness(kek: Uint8Array): Promise<Business> {
  const [id, userId, key] = [randomUUID(), randomUUID(), newKey()]
  const username = `user-${userId}`
  await query("insert into business values ($1, 'Acme AG', $2, $3)", [
    id,
    wrapKey(kek, key, `business ${id}`),
    NOW,
  ])
  await query("insert into api_user values ($1, $2, $3, $4)", [userId, id, username, NOW])
  return { id, userId, username, key }
}

async function insertDocument(
  business: Business,
  more: { read?: string[]; write?: string[]; parent?: string; production?: boolean },
): Promise<string> {
  const id = randomUUID()
  await query(
    `insert into document (id, business_id, kind, owner_id, title, content_type, size_bytes, sha256, page_count,
       page_width, page_height, parent_id, blob_name, wrapped_key, read_access, write_access, created_at, updated_at)
     values ($1, $2, $3, $4, 'Contract', 'application/pdf', 10, $5, 1, 595, 842, $6, $7, $5, $8, $9, $10, $10)`,
    [
      id,
      business.id,
      more.production ? "production" : "demo",
      business.userId,
      randomBytes(32),
      more.parent ?? null,
      `documents/${randomUUID()}`,
      more.read ?? [],
      more.write ?? [],
      NOW,
    ],
  )
  return id
}
