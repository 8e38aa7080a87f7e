import { randomBytes } from "node:crypto"
import type { Evidence } from "@paraph/core/evidence/model"
import type { Kind } from "@paraph/core/signature-request/model"
import { type EvidenceBody, readBody, writeBody } from "@paraph/evidence/body"
import { entryOf, SALT_BYTES } from "@paraph/evidence/leaf"
import { sql } from "kysely"
import type { Trx } from "./database.ts"
import { later } from "./later.ts"
import { named } from "./named.ts"

/** A key for each story, wrapped by the business's. */
export type StorySealer = {
  readonly newStoryKey: (of: StoryOwner, within: Trx) => Promise<StoryKey & WrappedStoryKey>
  readonly openStoryKey: (of: StoryOwner, kept: WrappedStoryKey, within: Trx) => Promise<StoryKey>
}
export type StoryOwner = { readonly businessId: string; readonly id: string }
export type WrappedStoryKey = { readonly keyVersion: number; readonly wrappedKey: Buffer }
export type StoryKey = {
  /** `part`: the number of an event, or the name of what else belongs to the story. */
  readonly seal: (part: number | string, plain: Uint8Array) => Buffer
  readonly open: (part: number | string, sealed: Uint8Array) => Buffer
}

/** Appends under the lock of the story, so that the numbers have no gap and no double. `newOf`: it begins with this very transaction, and nobody can have begun it. */
export async function appendEvidence(
  trx: Trx,
  sealer: StorySealer,
  of: StoryOwner,
  evidence: readonly Evidence[],
  newOf?: Kind,
): Promise<void> {
  if (evidence.length === 0) return
  const count = evidence.length
  const going =
    newOf === undefined
      ? ((await goOn(trx, sealer, of, count)) ?? (await begin(trx, sealer, of, count)))
      : await beginNew(trx, sealer, of, count, newOf)
  if (going === null) return
  const { kind, lastSeq, key } = going
  const first = lastSeq - evidence.length + 1
  const rows = evidence.map((one, i) => {
    const seq = first + i
    const body = writeBody(bodyOf(of.id, seq, kind, one))
    const salt = randomBytes(SALT_BYTES)
    return {
      request_id: of.id,
      seq,
      business_id: of.businessId,
      type: one.type,
      at: one.at,
      signature_id: one.signatureId ?? null,
      sealed: key.seal(seq, Buffer.concat([salt, body])),
      entry: Buffer.from(entryOf(salt, body)),
    }
  })
  await trx
    .with("made", (db) => db.insertInto("evidence").values(rows).returning("position"))
    .insertInto("log_waiting")
    .columns(["position", "kind"])
    .expression((from) => from.selectFrom("made").select(["position", sql.val(kind).as("kind")]))
    .modifyEnd(later)
    .execute()
}

type Going = { readonly kind: Kind; readonly lastSeq: number; readonly key: StoryKey }

async function goOn(
  trx: Trx,
  sealer: StorySealer,
  of: StoryOwner,
  count: number,
): Promise<Going | undefined> {
  const { rows } = await named(
    "go-on-with-story",
    sql<{ kind: Kind; last_seq: number; key_version: number; wrapped_key: Buffer }>`
    update story s set last_seq = last_seq + ${count} from story_key k
     where s.id = ${of.id} and s.business_id = ${of.businessId} and k.story_id = s.id
       -- Asked again by whoever waited for the row; the key is not.
       and s.erased_at is null
    returning s.kind, s.last_seq, k.key_version, k.wrapped_key`,
  ).execute(trx)
  const [row] = rows
  if (row === undefined) return undefined
  const wrapped = { keyVersion: row.key_version, wrappedKey: row.wrapped_key }
  return { kind: row.kind, lastSeq: row.last_seq, key: await sealer.openStoryKey(of, wrapped, trx) }
}

/** What demo keys made has a log of its own: the kind is that of what the story is about. An erased one is told no further: null. */
async function begin(trx: Trx, sealer: StorySealer, of: StoryOwner, count: number): Promise<Going | null> {
  const key = await sealer.newStoryKey(of, trx)
  const { rows } = await sql<{ kind: Kind }>`
    with about as (
      select kind from signature_request where id = ${of.id}
      union all select kind from sealing where id = ${of.id}
      union all select kind from validation where id = ${of.id}
      union all select kind from erasure where id = ${of.id}),
    begun as (
      insert into story (id, business_id, kind, last_seq)
        select ${of.id}, ${of.businessId}, kind, ${count} from about
      on conflict do nothing
      returning id, kind),
    kept as (
      insert into story_key (story_id, business_id, key_version, wrapped_key)
        select id, ${of.businessId}, ${key.keyVersion}, ${key.wrappedKey} from begun)
    select kind from begun`.execute(trx)
  const [row] = rows
  if (row !== undefined) return { kind: row.kind, lastSeq: count, key }
  if (await isErased(trx, of)) return null
  throw new Error(`There is nothing that a story ${of.id} could be about.`)
}

async function beginNew(
  trx: Trx,
  sealer: StorySealer,
  of: StoryOwner,
  count: number,
  kind: Kind,
): Promise<Going> {
  const key = await sealer.newStoryKey(of, trx)
  await sql`
    with begun as (
      insert into story (id, business_id, kind, last_seq)
        values (${of.id}, ${of.businessId}, ${kind}, ${count}) returning id)
    insert into story_key (story_id, business_id, key_version, wrapped_key)
      select id, ${of.businessId}, ${key.keyVersion}, ${key.wrappedKey} from begun ${later}`.execute(trx)
  return { kind, lastSeq: count, key }
}

async function isErased(trx: Trx, { businessId, id }: StoryOwner): Promise<boolean> {
  const row = await trx
    .selectFrom("story")
    .select("erased_at")
    .where("id", "=", id)
    .where("business_id", "=", businessId)
    .executeTakeFirst()
  return row?.erased_at != null
}

/** The first says in which log it is: no row decides that afterwards. */
const bodyOf = (
  request: string,
  seq: number,
  kind: Kind,
  { type, at, signatureId, data }: Evidence,
): EvidenceBody => ({
  v: 1,
  request,
  seq,
  type,
  at: at.toISOString(),
  ...(signatureId !== undefined && { signature: signatureId }),
  data: { ...data, ...(seq === 1 && { log: kind }) },
})

export type ToldEvidence = {
  readonly position: string
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
  readonly body: EvidenceBody
}

/** For what else belongs to a story; null where there is none, or its key was destroyed. */
export async function openedStoryKey(
  trx: Trx,
  sealer: StorySealer,
  of: StoryOwner,
): Promise<StoryKey | null> {
  const wrapped = await trx
    .selectFrom("story_key")
    .select(["key_version as keyVersion", "wrapped_key as wrappedKey"])
    .where("story_id", "=", of.id)
    .where("business_id", "=", of.businessId)
    .executeTakeFirst()
  return wrapped === undefined ? null : sealer.openStoryKey(of, wrapped, trx)
}

/** The whole story, opened; null where there is none, or its key was destroyed. */
export async function readStory(
  trx: Trx,
  sealer: StorySealer,
  of: StoryOwner,
): Promise<{ readonly kind: Kind; readonly events: readonly ToldEvidence[] } | null> {
  const wrapped = await trx
    .selectFrom("story_key as k")
    .innerJoin("story as s", "s.id", "k.story_id")
    .select(["s.kind", "k.key_version as keyVersion", "k.wrapped_key as wrappedKey"])
    .where("s.id", "=", of.id)
    .where("s.business_id", "=", of.businessId)
    .executeTakeFirst()
  if (wrapped === undefined) return null
  const key = await sealer.openStoryKey(of, wrapped, trx)
  const rows = await trx
    .selectFrom("evidence")
    .select(["seq", "position", "sealed"])
    .where("request_id", "=", of.id)
    .orderBy("seq")
    .execute()
  const events = rows.map(({ seq, position, sealed }) => {
    const plain = key.open(seq, sealed)
    const bytes = plain.subarray(SALT_BYTES)
    return { position, salt: plain.subarray(0, SALT_BYTES), bytes, body: readBody(bytes) }
  })
  return { kind: wrapped.kind, events }
}
