import type { Language } from "@paraph/core/language"
import { LIMITS } from "@paraph/core/limits"
import type { CountedWay, NewSession } from "@paraph/core/login/ports"
import type { Signer, SignerSession } from "@paraph/core/login/signer"
import { NO_ARRIVAL } from "@paraph/core/signature-request/exits"
import { sql } from "kysely"
import type { ServiceDatabase, Trx } from "./database.ts"
import { later } from "./later.ts"
import { LOOK_EVERY_MS } from "./past.ts"

/** The links that were mailed and the sessions they opened, by hash. They are looked up before a business is known. */

export async function insertLink(trx: Trx, signatureId: string, tokenHash: Uint8Array, now: Date) {
  const lookAt = new Date(now.getTime() + LOOK_EVERY_MS)
  const of = { signature_id: signatureId, created_at: now, look_at: lookAt }
  const link = { token_hash: Buffer.from(tokenHash), ...of }
  await trx.insertInto("signing_link").values(link).modifyEnd(later).execute()
}

export async function findLink(db: ServiceDatabase, tokenHash: Uint8Array): Promise<Signer | null> {
  const row = await db
    .selectFrom("signing_link as l")
    .innerJoin("signature as s", "s.id", "l.signature_id")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .select(["r.business_id as businessId", "r.id as requestId", "s.id as signatureId"])
    .where("l.token_hash", "=", Buffer.from(tokenHash))
    .executeTakeFirst()
  return row ?? null
}

/** Of a signature that is named by an address which proves itself: that of a preview, or of a mail that came back. */
export async function findSigner(db: ServiceDatabase, signatureId: string): Promise<Signer | null> {
  const row = await db
    .selectFrom("signature as s")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .select(["r.business_id as businessId", "r.id as requestId", "s.id as signatureId"])
    .where("s.id", "=", signatureId)
    .executeTakeFirst()
  return row ?? null
}

export async function insertSession(
  trx: Trx,
  signatureId: string,
  { idHash, way, accountSessionId, arrival: { exits, hideDownload, language } }: NewSession,
  now: Date,
): Promise<void> {
  const of = { signature_id: signatureId, created_at: now, seen_at: now, way, preview: way === "preview" }
  const from = { account_session_id: accountSessionId ?? null }
  const arrived = { ...from, exits: JSON.stringify(exits), hide_download: hideDownload, language }
  await trx
    .insertInto("signer_session")
    .values({ id_hash: Buffer.from(idHash), ...of, ...arrived })
    .execute()
}

/** Under the lock of the request, so two that come at once are counted one after the other. */
export async function countSessions(
  trx: Trx,
  signatureId: string,
  by: CountedWay,
  since: Date,
): Promise<number> {
  const { count } = await trx
    .selectFrom("signer_session")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("signature_id", "=", signatureId)
    .where("created_at", ">", since)
    // Who came by a preview may have proved the address since; it was a press at the preview all the same.
    .where("way", "in", by === "preview" ? ["preview", "code"] : [by])
    .executeTakeFirstOrThrow()
  return count
}

export async function proveSession(trx: Trx, idHash: Uint8Array): Promise<void> {
  const proved = { preview: false, way: "code" } as const
  await trx.updateTable("signer_session").set(proved).where("id_hash", "=", Buffer.from(idHash)).execute()
}

export async function sessionLanguage(trx: Trx, idHash: Uint8Array): Promise<Language | null> {
  const row = await trx
    .selectFrom("signer_session")
    .select("language")
    .where("id_hash", "=", Buffer.from(idHash))
    .executeTakeFirst()
  return row?.language ?? null
}

export async function chooseLanguage(
  db: ServiceDatabase,
  idHash: Uint8Array,
  language: Language,
): Promise<void> {
  await db
    .updateTable("signer_session")
    .set({ language })
    .where("id_hash", "=", Buffer.from(idHash))
    .execute()
}

export type SessionLimits = { readonly idleMs: number; readonly wholeMs: number }

/** A live session; being seen keeps it alive (security, R26: it ends after some idle minutes), being listened to does not. */
export async function findSession(
  db: ServiceDatabase,
  idHash: Uint8Array,
  now: Date,
  limits: SessionLimits,
  seen = true,
): Promise<SignerSession | null> {
  const row = await db
    .selectFrom("signer_session as w")
    .innerJoin("signature as s", "s.id", "w.signature_id")
    .innerJoin("signature_request as r", "r.id", "s.request_id")
    .leftJoin("account_session as a", "a.id", "w.account_session_id")
    .where("w.id_hash", "=", Buffer.from(idHash))
    // Who came by their account is here as long as that login: it takes this row with it, unless it ended by its age.
    .where((is) =>
      is.or([
        is("w.account_session_id", "is", null),
        is("a.created_at", ">", new Date(now.getTime() - LIMITS.accountSessionMs)),
      ]),
    )
    // A session by single sign-on is valid in the business of its identity provider only.
    .where((is) =>
      is.or([is("a.sso_business_id", "is", null), is("a.sso_business_id", "=", is.ref("r.business_id"))]),
    )
    .where("w.seen_at", ">", new Date(now.getTime() - limits.idleMs))
    .where("w.created_at", ">", new Date(now.getTime() - limits.wholeMs))
    .select(["r.business_id as businessId", "r.kind", "r.id as requestId", "s.id as signatureId"])
    .select(["w.preview", "w.way", "w.exits", "w.hide_download as hideDownload", "w.language"])
    .select(["w.seen_at as seenAt", "w.account_session_id as accountSessionId"])
    .executeTakeFirst()
  if (row === undefined) return null
  const { preview, way, exits, hideDownload, language, seenAt, ...signer } = row
  if (seen && now.getTime() - seenAt.getTime() > SEEN_AGAIN_MS) await noteSeen(db, idHash, now)
  const arrival = { exits: exits ?? NO_ARRIVAL.exits, hideDownload, language }
  return { ...signer, idHash, way: preview ? "preview" : way, arrival }
}

/** A page is many requests at once; that they came within some seconds is worth one write. */
const SEEN_AGAIN_MS = 5_000

async function noteSeen(db: ServiceDatabase, idHash: Uint8Array, now: Date): Promise<void> {
  const id = Buffer.from(idHash)
  await db.updateTable("signer_session").set({ seen_at: now }).where("id_hash", "=", id).execute()
}

/** Of each request something that differs after every change of its row, and every change of a request changes that. */
export async function requestVersions(
  db: ServiceDatabase,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; version: string }>`
    select id, xmin::text as version from signature_request where id = any (${requestIds})`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}
