import { createHash } from "node:crypto"
import pg from "pg"

/** Which cell a business lives in; `moving` while nobody answers for it. */
export type Home = { readonly business: string; readonly cell: string; readonly state: "here" | "moving" }

/** What a name leads to: a business, or a cell alone, where it is a person's and of no business. */
export type Known = { readonly home: Home } | { readonly cell: string }

/** The region's directory (ADR 0066): which business is in which cell, and names by which callers are known. */
export type Directory = {
  readonly find: (name: string) => Promise<Known | null>
  /** What a cell has said of a name. Whoever knew it first keeps it. */
  readonly learn: (name: string, cell: string, business: string | null) => Promise<void>
  readonly moves: (business: string, from: string, to: string) => Promise<void>
  readonly livesIn: (business: string, cell: string) => Promise<void>
  readonly list: () => Promise<readonly Home[]>
  readonly health: () => Promise<void>
  readonly close: () => Promise<void>
}

const SCHEMA = `
  create table if not exists business (
    id uuid primary key,
    cell text not null,
    state text not null check (state in ('here', 'moving')),
    -- Where it goes, for people who look.
    moving_to text,
    changed_at timestamptz not null default now()
  );
  -- SHA-256 of a kind and a name. One of a business leads to it, wherever it is; one of a person's account to a cell.
  create table if not exists name (
    hash bytea primary key,
    business uuid references business,
    cell text,
    learned_at timestamptz not null default now(),
    check ((business is null) <> (cell is null))
  );
  create index if not exists name_learned on name (learned_at);`

/** Makes its two tables; may be done again. */
export async function makeDirectory(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`begin; select pg_advisory_xact_lock(1); ${SCHEMA}; commit`).finally(() => client.end())
}

/** Nobody who reads it learns an address or a link. */
const hashOf = (name: string): Buffer => createHash("sha256").update(name).digest()

export function openDirectory(url: string): Directory {
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    application_name: "paraph-directory",
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
  })
  pool.on("error", () => undefined)
  return {
    find: async (name) => {
      const { rows } = await pool.query<Home & { only: string | null }>(
        `select b.id as business, b.cell, b.state, n.cell as only from name n left join business b on b.id = n.business where n.hash = $1`,
        [hashOf(name)],
      )
      const [row] = rows
      if (row === undefined) return null
      return row.only === null ? { home: row } : { cell: row.only }
    },
    learn: async (name, cell, business) => {
      if (business !== null)
        await pool.query(
          "insert into business (id, cell, state) values ($1, $2, 'here') on conflict do nothing",
          [business, cell],
        )
      await pool.query(
        "insert into name (hash, business, cell) values ($1, $2, $3) on conflict (hash) do nothing",
        [hashOf(name), business, business === null ? cell : null],
      )
    },
    moves: async (business, from, to) => {
      await pool.query(
        `insert into business (id, cell, state, moving_to) values ($1, $2, 'moving', $3)
         on conflict (id) do update set state = 'moving', moving_to = excluded.moving_to, changed_at = now()`,
        [business, from, to],
      )
    },
    livesIn: async (business, cell) => {
      await pool.query(
        `insert into business (id, cell, state) values ($1, $2, 'here')
         on conflict (id) do update set cell = excluded.cell, state = 'here', moving_to = null, changed_at = now()`,
        [business, cell],
      )
      // People's accounts may have gone along: whoever asks for one is told anew.
      await pool.query("delete from name where business is null")
    },
    list: async () => {
      const { rows } = await pool.query<Home>(
        "select id as business, cell, state from business order by cell, id",
      )
      return rows
    },
    health: async () => void (await pool.query("select 1")),
    close: () => pool.end(),
  }
}
