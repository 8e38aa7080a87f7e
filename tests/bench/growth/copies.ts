// Rows of a request, copied so many times: each id is another, each time is shifted, half of them belong to others. One statement
// for each table and template; ids are hashes of the original's and the number, so what belongs together does so again.
import type { Service } from "../../service/service.ts"
import type { Templates } from "./templates.ts"

/** Of twenty requests in a row: ten are open, nine drafts, one signed: what fits into 40 GB. Those of one state share one document, as a letter to many. */
export const BLOCK = 20
/** Between two of them; ten million are three years. */
const APART_SECONDS = 10
/** What is kept for so long only is there for the last of them. */
const KEPT_SECONDS = { "90 days": 90 * 86_400, "30 days": 30 * 86_400 } as const
/** Half of all blocks are the caller's, the others those of so many businesses. */
export const OTHERS = 999

export type State = keyof Templates
/** The i-th of a state, as its number among all; and how many of them there are in a block. */
const NUMBERS: Readonly<Record<State, { readonly n: string; readonly inBlock: number }>> = {
  open: { n: "2 * i + 1", inBlock: 10 },
  draft: { n: `${BLOCK} * (i / 9) + 2 * (i % 9) + 2`, inBlock: 9 },
  signed: { n: `${BLOCK} * i`, inBlock: 1 },
}

/** The same, for whoever counts along. */
export const numberOf = (state: State, i: number): number =>
  state === "open" ? 2 * i + 1 : state === "signed" ? BLOCK * i : BLOCK * Math.floor(i / 9) + 2 * (i % 9) + 2

type Which = "first of a block" | keyof typeof KEPT_SECONDS
/** Which rows are a request's (`$`), and which of its copies have them. */
const ROWS: Readonly<Record<string, { readonly of: string; readonly which?: Which }>> = {
  signature_request: { of: "id = $" },
  request_document: { of: "request_id = $" },
  signature: { of: "request_id = $" },
  mark: { of: "signature_id in (select id from signature where request_id = $)" },
  request_reader: { of: "request_id = $" },
  document: {
    of: "id in (select unnest(array[document_id, newest_id]) from request_document where request_id = $)",
    which: "first of a block",
  },
  document_reader: {
    of: "document_id in (select unnest(array[document_id, newest_id]) from request_document where request_id = $)",
    which: "first of a block",
  },
  signature_activity: { of: "signature_id in (select id from signature where request_id = $)" },
  story: { of: "id = $" },
  story_key: { of: "story_id = $" },
  evidence: { of: "request_id = $" },
  event: { of: "request_id = $", which: "90 days" },
  mail_log: { of: "request_id = $", which: "30 days" },
  signing_link: { of: "signature_id in (select id from signature where request_id = $)", which: "90 days" },
}

export const TABLES = [...Object.keys(ROWS), "log_leaf"]

/** What a column of a copy holds, by its name, else by its type, else what the original does. `t` is the original's row. */
const BY_NAME: Readonly<Record<string, string>> = {
  business_id: "o.business_id",
  owner_id: "o.owner_id",
  username: "o.username",
  readers: "array[o.username]",
  email: "'signer' || n || '@example.org'",
  title: "'Contract ' || n",
  blob_name: "'documents/' || md5(t.blob_name || block)::uuid",
  token_hash: "sha256(t.token_hash || n::text::bytea)",
  entry: "sha256(t.entry || n::text::bytea)",
  expires_at: "t.expires_at + (n % 1000) * interval '1 hour'",
  expires_on: "(t.expires_at + (n % 1000) * interval '1 hour')::date",
  "evidence.position": "first_position + i * all_rows + t.position_rank - 1",
  renew_at: "t.renew_at",
  // Whoever sweeps has looked at the old ones, and does so again within a month.
  look_at: "now() + (n % 720) * interval '1 hour'",
}
/** Shared by a block. */
const DOCUMENTS = new Set(["document.id", "document_id", "newest_id", "parent_id"])

export type Filling = {
  readonly from: number
  readonly to: number
  readonly most: number
  readonly firstPosition: number
}

/** So many requests of each state are among these; both ends are whole blocks. */
export const countOf = (state: State, { from, to }: Pick<Filling, "from" | "to">): number =>
  ((to - from) / BLOCK) * NUMBERS[state].inBlock

export async function statementsFor(
  { sql }: Pick<Service, "sql">,
  state: State,
  id: string,
  filling: Filling,
): Promise<readonly { readonly table: string; readonly statement: string }[]> {
  const made: { table: string; statement: string }[] = []
  for (const [table, { of, which }] of Object.entries(ROWS)) {
    const columns = await columnsOf(sql, table)
    // A signed request has versions of its own.
    const block = state === "signed" ? "n" : `(n / ${BLOCK})`
    const where = whereOf(which, state, filling)
    const rank = table === "evidence" ? ", rank() over (order by seq) as position_rank" : ""
    const expressions = columns.map(({ name, type }) => expressionOf(table, name, type))
    made.push({
      table,
      statement: `
        insert into ${table} (${columns.map(({ name }) => name).join(", ")}) overriding system value
        select ${expressions.join(", ")}
          from generate_series(0::bigint, ${countOf(state, filling) - 1}) as i,
               lateral (select ${filling.from} + ${NUMBERS[state].n} as n) as numbered,
               lateral (select ${block} as block, (${filling.most} - n) * interval '${APART_SECONDS} seconds' as ago) as placed,
               bench_owner o,
               (select *, count(*) over () as all_rows${rank} from ${table} where ${of.replaceAll("$", `'${id}'`)}) as t,
               (select ${filling.firstPosition}::bigint as first_position) as positions
         where o.number = case when n / ${BLOCK} % 2 = 0 then 0 else 1 + n / ${2 * BLOCK} % ${OTHERS} end and ${where}`,
    })
  }
  return made
}

function whereOf(which: Which | undefined, state: State, { most }: Filling): string {
  if (which === "90 days" || which === "30 days") return `n > ${most - KEPT_SECONDS[which] / APART_SECONDS}`
  if (which === undefined || state === "signed") return "true"
  return `n % ${BLOCK} = ${state === "open" ? 1 : 2}`
}

async function columnsOf(sql: Service["sql"], table: string) {
  const rows = await sql(`
    select column_name || ' ' || data_type from information_schema.columns
     where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER'
       and (is_identity = 'NO' or table_name = 'evidence') order by ordinal_position`)
  return rows.split("\n").map((row) => {
    const [name = "", ...type] = row.split(" ")
    return { name, type: type.join(" ") }
  })
}

function expressionOf(table: string, name: string, type: string): string {
  const named = BY_NAME[`${table}.${name}`] ?? BY_NAME[name]
  if (named !== undefined) return named
  if (type === "uuid") {
    const isShared = DOCUMENTS.has(`${table}.${name}`) || DOCUMENTS.has(name)
    return `md5(t.${name}::text || ${isShared ? "block" : "n"})::uuid`
  }
  return type === "timestamp with time zone" ? `t.${name} - ago` : `t.${name}`
}
