import pg from "pg"
import { SCHEMA } from "../jobs/queues.ts"
import { readAddress } from "./hosts.ts"

/** Nobody takes anything out of these, nor changes it: what happened, and the log of it (ADR 0052). */
const APPEND_ONLY = [
  "evidence",
  "log_leaf",
  "log_key",
  "log_checkpoint",
  "erasure",
  "account_event",
  "audit_log",
]

/**
 * What the role of the server may do, where the schema belongs to another: read and write rows. It cannot change the schema, nor
 * take a trigger off; and of what is append-only it can update and delete nothing, whatever the triggers say.
 */
export async function grantToServer(ownerUrl: string, serverUrl: string): Promise<void> {
  const role = decodeURIComponent(new URL(readAddress(serverUrl).url).username)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query("select current_user as owner")
    // By two addresses to one role: what is taken from it would be taken from the owner.
    if (rows[0]?.owner === role) return
    const to = pg.escapeIdentifier(role)
    await client.query(`
      begin;
      grant usage on schema public, ${SCHEMA} to ${to};
      grant select, insert, update, delete on all tables in schema public, ${SCHEMA} to ${to};
      grant usage, select on all sequences in schema public, ${SCHEMA} to ${to};
      revoke update, delete on ${APPEND_ONLY.join(", ")} from ${to};
      revoke insert, update, delete on migration from ${to};
      -- A head gets its time-stamp after it was signed, and what is left of what was erased is looked for until nothing is.
      grant update (stamp) on log_checkpoint to ${to};
      grant update (tidy_at) on erasure to ${to};
      revoke update on log_waiting from ${to};
      revoke delete on log_tile, log_head from ${to};
      revoke update, delete on story from ${to};
      grant update (last_seq, held_since, hold_reason, erased_at) on story to ${to};
      commit`)
  } finally {
    await client.end()
  }
}
