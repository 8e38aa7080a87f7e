import pg from "pg"

export type Snapshot = {
  /** What pg_dump is told, so that it sees this very moment. */
  readonly id: string
  /** The objects that rows name at that moment, in the order of their names. */
  readonly names: () => AsyncGenerator<string>
  readonly end: () => Promise<void>
}

const BATCH = 1_000

/** One moment of the database, for as long as it is held. */
export async function holdSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, application_name: "paraph-backup" })
  await client.connect()
  await client.query("begin isolation level repeatable read read only")
  const { rows } = await client.query<{ id: string }>("select pg_export_snapshot() as id")
  return {
    id: rows[0]?.id ?? "",
    names: () => names(client),
    end: async () => {
      await client.query("rollback")
      await client.end()
    },
  }
}

/** Of documents and attachments. What is on its way in or out (`loose_blob`) is nobody's yet, or no more. */
async function* names(client: pg.Client): AsyncGenerator<string> {
  const of = (table: string) =>
    `(select blob_name as name from ${table} where blob_name > $1 order by blob_name limit ${BATCH})`
  const query = `${of("document")} union ${of("attachment")} order by name limit ${BATCH}`
  for (let after = ""; ; ) {
    const { rows } = await client.query<{ name: string }>(query, [after])
    for (const { name } of rows) yield name
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.name
  }
}

/**
 * Whether nothing is there that could be overwritten, and the role may make what is to come; what an extension brings along does
 * not count.
 */
export async function isFor(url: string): Promise<"restoring" | "nothing: not empty" | "nothing: no rights"> {
  const client = new pg.Client({ connectionString: url, application_name: "paraph-restore" })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
         and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
       limit 1`,
    )
    if (rows.length > 0) return "nothing: not empty"
    const { rows: rights } = await client.query<{ may: boolean }>(
      `select has_database_privilege(current_database(), 'create')
          and has_schema_privilege(current_schema(), 'create') as may`,
    )
    return rights[0]?.may === true ? "restoring" : "nothing: no rights"
  } finally {
    await client.end()
  }
}
