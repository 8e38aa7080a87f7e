// The whole log computed anew from its leaves: every hash that is kept, and every head that was ever signed.

import type { Kind } from "@paraph/core/signature-request/model"
import { grow } from "@paraph/tlog/grow"
import { emptyRoot, isSameHash, leafHash } from "@paraph/tlog/hash"
import { type NoteKey, writeVerifierKey } from "@paraph/tlog/note-key"
import { TILE_WIDTH, tilesOf } from "@paraph/tlog/tile"
import { sql } from "kysely"
import type { Trx } from "../postgres/database.ts"
import { findTile, headOf } from "../postgres/evidence-log.ts"
import { findLogKey } from "../postgres/log-keys.ts"
import type { Finding } from "./finding.ts"
import { checkHead, type SignedHead, signedHeads, whereOf } from "./signed-heads.ts"

export type CheckParts = {
  /** Whether a time-stamp (RFC 3161) is one over that. */
  readonly isStampOf: (stamp: Uint8Array, sha256: Uint8Array) => boolean
  /** Heads that somebody else has kept, and the key by which they know the log: what is in the rows may be new from end to end. */
  readonly known: { readonly checkpoints: readonly string[]; readonly key?: NoteKey }
}

export async function* checkLog(
  trx: Trx,
  kind: Kind,
  { isStampOf, known }: CheckParts,
): AsyncGenerator<Finding> {
  const own = await ownKey(trx, kind)
  if (known.key !== undefined && !isSameKey(own, known.key)) yield { found: "key", where: `the ${kind} log` }
  const parts = { kind, isStampOf, key: known.key ?? own }
  // One that is kept is judged as such.
  const missing = new Set(known.checkpoints)
  const heads = createHeads(signedHeads(trx, kind), ({ note }) => missing.delete(note))
  let size = 0
  let root: Uint8Array = emptyRoot()
  const reach = async function* (): AsyncGenerator<Finding> {
    for (let head = await heads.peek(); head !== null && head.size <= size; head = await heads.peek()) {
      heads.drop()
      yield* checkHead(parts, head, head.size === size ? root : null)
    }
  }
  yield* reach()
  const stop = async () => (await heads.peek())?.size ?? Number.POSITIVE_INFINITY
  for await (const step of grown(trx, kind, stop)) {
    if ("found" in step) yield step
    else {
      size = step.size
      root = step.root
      yield* reach()
    }
  }
  // Of trees that there are not.
  size = Number.POSITIVE_INFINITY
  yield* reach()
  // Whoever lost a head that others have has lost more.
  for (const note of missing) yield { found: "checkpoint", where: whereOf(sizeOf(note), kind) }
}

type Heads = { readonly peek: () => Promise<SignedHead | null>; readonly drop: () => void }

/** The next one is looked at before it is taken; `seen` is told of each once. */
function createHeads(from: AsyncGenerator<SignedHead>, seen: (head: SignedHead) => void): Heads {
  let next: SignedHead | null | undefined
  return {
    peek: async () => {
      if (next === undefined) {
        const { value = null } = (await from.next()) as { readonly value?: SignedHead }
        next = value
        if (value !== null) seen(value)
        return value
      }
      return next
    },
    drop: () => {
      next = undefined
    },
  }
}

// One batch of rows.
const AT_ONCE = 16 * TILE_WIDTH

type Grown = { readonly size: number; readonly root: Uint8Array }

/**
 * The tree as it grows from its leaves, told at least at each size that `stop` names, and what is kept otherwise than it comes
 * out.
 */
async function* grown(trx: Trx, kind: Kind, stop: () => Promise<number>): AsyncGenerator<Grown | Finding> {
  const edge = new Map<number, { readonly n: number; readonly bytes: Uint8Array }>()
  const total = await leavesOf(trx, kind)
  let size = 0
  let root: Uint8Array = emptyRoot()
  while (size < total) {
    const { hashes, isWhole } = await leavesFrom(trx, kind, size, Math.min(AT_ONCE, total - size))
    for (let at = 0; at < hashes.length; ) {
      const end = Math.min(hashes.length, at + (await stop()) - size)
      const more = await grow(size, hashes.slice(at, end), async ({ level, n }) => {
        const tile = edge.get(level)
        if (tile?.n !== n) throw new Error(`The tile ${level} ${n} is not at the edge.`)
        return tile.bytes
      })
      for (const { level, n, width, bytes } of more.tiles) {
        edge.set(level, { n, bytes })
        if (width === TILE_WIDTH) yield* compared(trx, kind, level, n, bytes)
      }
      at = end
      size = more.size
      root = more.root
      yield { size, root }
    }
    if (!isWhole) return yield { found: "leaf", where: `leaf ${size} of the ${kind} log, or behind it` }
  }
  for (const [level, { n, bytes }] of edge)
    if (bytes.length < TILE_WIDTH * root.length) yield* compared(trx, kind, level, n, bytes)
  if ((await tileCount(trx, kind)) !== [...tilesOf(size)].length)
    yield { found: "tile", where: `the number of tiles of the ${kind} log` }
  const head = await headOf(trx, kind)
  if (head.size !== size || !isSameHash(head.root, root)) yield { found: "head", where: `the ${kind} log` }
}

async function* compared(
  trx: Trx,
  kind: Kind,
  level: number,
  n: number,
  bytes: Uint8Array,
): AsyncGenerator<Finding> {
  const kept = await findTile(trx, kind, level, n)
  if (kept === null || Buffer.compare(kept, bytes) !== 0)
    yield { found: "tile", where: `tile ${level} ${n} of the ${kind} log` }
}

/** Up to where one is missing, or is not of an event, or is there twice. */
async function leavesFrom(trx: Trx, kind: Kind, from: number, count: number) {
  const { rows } = await sql<{ index: number; entry: Buffer }>`
    select l.index, e.entry from log_leaf l join evidence e on e.position = l.position
     where l.kind = ${kind} and l.index >= ${from} and l.index < ${from + count} order by l.index`.execute(
    trx,
  )
  const hole = rows.findIndex(({ index }, i) => Number(index) !== from + i)
  const isWhole = rows.length === count && hole === -1
  const upTo = hole === -1 ? count : hole
  return { hashes: rows.slice(0, upTo).map(({ entry }) => leafHash(entry)), isWhole }
}

async function leavesOf(trx: Trx, kind: Kind): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from log_leaf where kind = ${kind}`.execute(trx)
  return Number(rows[0]?.count ?? 0)
}

async function tileCount(trx: Trx, kind: Kind): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from log_tile where kind = ${kind}`.execute(trx)
  return Number(rows[0]?.count ?? 0)
}

async function ownKey(trx: Trx, kind: Kind): Promise<NoteKey | null> {
  const kept = await findLogKey(trx, kind)
  return kept && { name: kept.origin, type: "ed25519", publicKey: kept.publicKey }
}

const isSameKey = (own: NoteKey | null, known: NoteKey): boolean =>
  own !== null && writeVerifierKey(own) === writeVerifierKey(known)

/** What a note says of itself, whoever signed it. */
const sizeOf = (note: string): number => Number(note.split("\n")[1] ?? Number.NaN)
