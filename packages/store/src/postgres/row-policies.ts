import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"

/**
 * Row-level security (ADR 0062, ADR 0091): a transaction of one business reads and writes the rows of that business, whatever its statements
 * ask for. Work that concerns all businesses sets the service scope. A session that sets neither reads and writes no row. Each table
 * forces its policy on the role that owns it, too.
 */
export const BY_BUSINESS = [
  "account_vouched_name",
  ...["api_key", "api_user", "attachment", "audit_log", "business_feature", "business_key", "business_logo"],
  ...[
    "callback",
    "captured_mail",
    "credit_agreement",
    "credit_day",
    "delivery",
    "document",
    "document_reader",
  ],
  ...["erasure", "event", "evidence", "granted_domain", "idempotency_key", "identification", "mail_log"],
  ...[
    "membership",
    "remote_signing",
    "request_protocol",
    "request_reader",
    "seal",
    "seal_batch",
    "seal_image",
  ],
  ...["sealed_document", "sealing", "signature_activity", "signature_look", "signature_request"],
  ...[
    "signer_group",
    "signing_release",
    "single_sign_on",
    "single_sign_on_attempt",
    "single_sign_on_subject",
  ],
  ...["story", "story_key", "template", "usage_day", "validation", "validation_report", "webhook"],
]

/** These belong to the business of the row that they refer to, whose own policy decides. Logins belong to the businesses of their account. */
export const BY_PARENT: Readonly<Record<string, readonly [column: string, parent: string, key?: string]>> = {
  account_session: ["account_id", "membership", "account_id"],
  account_step: ["account_id", "membership", "account_id"],
  identification_attempt: ["identification_id", "identification"],
  log_leaf: ["position", "evidence", "position"],
  log_waiting: ["position", "evidence", "position"],
  mark: ["signature_id", "signature"],
  observer: ["request_id", "signature_request"],
  release_code: ["signature_id", "signature"],
  remote_way: ["release_id", "remote_signing", "release_id"],
  request_document: ["request_id", "signature_request"],
  request_group: ["request_id", "signature_request"],
  seal_certificate: ["seal_id", "seal"],
  served_page: ["id_hash", "signer_session", "id_hash"],
  signature: ["request_id", "signature_request"],
  signer_code: ["signature_id", "signature"],
  signer_group_member: ["group_id", "signer_group"],
  signer_session: ["signature_id", "signature"],
  signing_intent: ["signature_id", "signature"],
  signing_link: ["signature_id", "signature"],
  template_document: ["template_id", "template"],
  validation_picture: ["validation_id", "validation"],
}

/** These name a signature or a seal of a business by its id alone. No transaction of a business reads or writes them. */
export const BY_SERVICE: readonly string[] = ["certificate_request", "issued_certificate"]

const IN_SERVICE_SCOPE = "access_scope() = 'service'"

/** Of what is written, where another condition holds than for what is read. */
const CHECKS: Readonly<Record<string, string>> = {
  // It is inserted by the statement that inserts its evidence, which the policy cannot see yet. Its foreign key asks for that.
  log_waiting: `${IN_SERVICE_SCOPE} or asked_business() is not null`,
}

// Functions and no sub-selects: each of those is a plan of its own that is made ready for every statement, and a request is read with 87 of
// them. For some ten rows, reading the setting for each costs half as much (ADR 0065).
const isAsked = (column: string) => `${column} = asked_business() or ${IN_SERVICE_SCOPE}`

const USING: readonly (readonly [table: string, using: string])[] = [
  ["business", isAsked("id")],
  ...BY_BUSINESS.map((table) => [table, isAsked("business_id")] as const),
  ...Object.entries(BY_PARENT).map(([table, [column, parent, key = "id"]]) => {
    const owned = `exists (select from ${parent} parent where parent.${key} = ${table}.${column})`
    return [table, `${IN_SERVICE_SCOPE} or ${owned}`] as const
  }),
  ...BY_SERVICE.map((table) => [table, IN_SERVICE_SCOPE] as const),
]

const POLICIES = USING.map(([table, using]) => {
  const check = CHECKS[table]
  return [table, `using (${using})${check === undefined ? "" : ` with check (${check})`}`] as const
})

/** While the service runs: each table for itself, so that nobody waits in a circle, and with little patience, so that nobody waits long. */
const PATIENCE = "500ms"
const ATTEMPTS = 120
const NOT_NOW = new Set(["40P01", "55P03"])

/** Makes what is missing of it, or another than it should be; may be done again. */
export async function holdRows(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(`set lock_timeout = '${PATIENCE}'`)
    const { rows } = await client.query<{ name: string; rule: string | null }>(`
      select c.relname as name, obj_description(p.oid, 'pg_policy') as rule
        from pg_policy p join pg_class c on c.oid = p.polrelid
       where p.polname = 'of_the_business' and c.relrowsecurity and c.relforcerowsecurity and c.relnamespace = 'public'::regnamespace`)
    const held = new Map(rows.map(({ name, rule }) => [name, rule]))
    for (const [table, rule] of POLICIES) if (held.get(table) !== rule) await holdTable(client, table, rule)
  } finally {
    await client.end()
  }
}

async function holdTable(client: pg.Client, table: string, rule: string): Promise<void> {
  for (let nth = 1; ; nth += 1)
    try {
      return void (await client.query(`
        begin;
        drop policy if exists of_the_business on ${table};
        create policy of_the_business on ${table} ${rule};
        -- As it was asked for: PostgreSQL would tell it in its own words.
        comment on policy of_the_business on ${table} is ${pg.escapeLiteral(rule)};
        alter table ${table} enable row level security, force row level security;
        commit`))
    } catch (error) {
      await client.query("rollback")
      if (nth === ATTEMPTS || !NOT_NOW.has((error as pg.DatabaseError).code ?? "")) throw error
      await pause(500)
    }
}
