import pg from "pg"
import { beside } from "./spent-beside.ts"

const TIMES = 1000

/** One transaction that writes one row, by a connection that is there; PostgreSQL's part too. */
export async function bareRow(url: string, server: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("create table bench_note (id uuid primary key, at timestamptz)")
    return await beside(server, TIMES, async () => {
      await client.query("begin")
      await client.query({ name: "note", text: "insert into bench_note values (gen_random_uuid(), now())" })
      await client.query("commit")
    })
  } finally {
    await client.query("drop table if exists bench_note")
    await client.end()
  }
}
