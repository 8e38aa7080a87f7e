// Every head that was ever signed: one a minute, and so millions after some years.

import { createHash } from "node:crypto"
import type { Kind } from "@paraph/core/signature-request/model"
import { openCheckpoint } from "@paraph/tlog/checkpoint"
import { isSameHash } from "@paraph/tlog/hash"
import type { NoteKey } from "@paraph/tlog/note-key"
import { TlogRefused } from "@paraph/tlog/refused"
import { sql } from "kysely"
import type { Trx } from "../postgres/database.ts"
import type { Finding } from "./finding.ts"

export type SignedHead = { readonly size: number; readonly note: string; readonly stamp: Uint8Array | null }

/** So many are in memory. */
export const HEADS_AT_ONCE = 1000

/**
 * In the order of their sizes, a page at a time. By a cursor and not by the last size that was seen: whoever has the database can
 * take the key off the table, and put two of one size into it.
 */
export async function* signedHeads(trx: Trx, kind: Kind, atOnce = HEADS_AT_ONCE): AsyncGenerator<SignedHead> {
  const cursor = sql.id(`signed_heads_${kind}`)
  await sql`
    declare ${cursor} no scroll cursor for
      select size, note, stamp from log_checkpoint where kind = ${sql.lit(kind)} order by size`.execute(trx)
  for (;;) {
    const { rows } = await sql<SignedHead>`fetch forward ${sql.lit(atOnce)} from ${cursor}`.execute(trx)
    for (const row of rows) yield { ...row, size: Number(row.size) }
    if (rows.length < atOnce) break
  }
  await sql`close ${cursor}`.execute(trx)
}

export type HeadParts = {
  readonly kind: Kind
  readonly key: NoteKey | null
  readonly isStampOf: (stamp: Uint8Array, sha256: Uint8Array) => boolean
}

/** `root`: that of the tree of this size; null where there is none. */
export function* checkHead(
  { kind, key, isStampOf }: HeadParts,
  { size, note, stamp }: SignedHead,
  root: Uint8Array | null,
): Generator<Finding> {
  const where = whereOf(size, kind)
  const opened = key && openedBy(note, key)
  if (!opened || opened.size !== size || root === null || !isSameHash(opened.root, root))
    yield { found: "checkpoint", where }
  if (stamp !== null && !isStampOf(stamp, createHash("sha256").update(note, "utf8").digest()))
    yield { found: "stamp", where }
}

export const whereOf = (size: number, kind: Kind): string => `head of ${size} in the ${kind} log`

function openedBy(note: string, key: NoteKey) {
  try {
    return openCheckpoint(Buffer.from(note, "utf8"), key)
  } catch (error) {
    if (error instanceof TlogRefused) return undefined
    throw error
  }
}
