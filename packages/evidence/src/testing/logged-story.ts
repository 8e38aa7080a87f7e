// A small log with the story of one request between those of others.

import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { signCheckpoint } from "@paraph/tlog/checkpoint"
import { grow } from "@paraph/tlog/grow"
import { leafHash } from "@paraph/tlog/hash"
import { type NoteKey, writeVerifierKey } from "@paraph/tlog/note-key"
import { proveInclusion } from "@paraph/tlog/prove"
import { openTree } from "@paraph/tlog/tree"
import { type EvidenceBody, writeBody } from "../body.ts"
import { entryOf, SALT_BYTES } from "../leaf.ts"
import type { Story } from "../story.ts"

export const REQUEST = "0f0e0d0c-0b0a-4908-8706-050403020100"

export const bodyOf = (seq: number, more: Partial<EvidenceBody> = {}): EvidenceBody => ({
  v: 1,
  request: REQUEST,
  seq,
  type: "signature.opened",
  at: new Date(Date.UTC(2026, 10, 16, 12, 0, seq)).toISOString(),
  data: { name: `Ada № ${seq}`, pages: seq },
  ...more,
})

export type Logged = { readonly story: Story; readonly key: NoteKey }

export type More = {
  readonly bodies?: readonly EvidenceBody[]
  /** A time-stamp over the checkpoint. */
  readonly stamp?: (checkpoint: Uint8Array) => Promise<Uint8Array>
}

export async function loggedStory(count: number, others: number, more: More = {}): Promise<Logged> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32)
  const key: NoteKey = { name: "paraph.test/log", type: "ed25519", publicKey: raw }
  const told = Array.from({ length: count }, (_, i) => {
    const body = writeBody(more.bodies?.[i] ?? bodyOf(i + 1))
    return { salt: randomBytes(SALT_BYTES), body }
  })
  const entries: Uint8Array[] = []
  const indexes: number[] = []
  for (const [i, { salt, body }] of told.entries()) {
    for (let n = 0; n < others + i; n++) entries.push(randomBytes(32))
    indexes.push(entries.length)
    entries.push(entryOf(salt, body))
  }
  for (let n = 0; n < others; n++) entries.push(randomBytes(32))
  const tiles = new Map<string, Uint8Array>()
  const readTile = async ({ level, n }: { level: number; n: number }) =>
    tiles.get(`${level}/${n}`) ?? new Uint8Array()
  const grown = await grow(0, entries.map(leafHash), readTile)
  for (const { level, n, bytes } of grown.tiles) tiles.set(`${level}/${n}`, bytes)
  const tree = openTree(entries.length, readTile)
  const events = await Promise.all(
    told.map(async ({ salt, body }, i) => {
      const index = indexes[i] ?? -1
      const path = await proveInclusion(tree, index)
      return {
        index,
        salt: salt.toString("base64"),
        body: Buffer.from(body).toString("utf8"),
        path: path.map((hash) => Buffer.from(hash).toString("base64")),
      }
    }),
  )
  const checkpoint = await signCheckpoint(key, grown, async (message) => sign(null, message, privateKey))
  const token = await more.stamp?.(Buffer.from(checkpoint, "utf8"))
  const stamp = token === undefined ? null : Buffer.from(token).toString("base64")
  const log = { key: writeVerifierKey(key), checkpoint, stamp }
  return { key, story: { format: "paraph-story/1", request: REQUEST, log, events } }
}
