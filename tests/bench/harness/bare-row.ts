import pg from "pg"
import { startWatch } from "../fastest.ts"

const TIMES = 500

/** One transaction that writes one row, by a connection that is there; of this process alone. */
export async function bareRow(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("create temp table note (id uuid primary key, at timestamptz)")
    const once = async () => {
      await client.query("begin")
      await client.query({ name: "note", text: "insert into note values (gen_random_uuid(), now())" })
      await client.query("commit")
    }
    for (let n = 0; n < TIMES; n += 1) await once()
    const stop = startWatch()
    for (let n = 0; n < TIMES; n += 1) await once()
    return stop().processorMs / TIMES
  } finally {
    await client.end()
  }
}
