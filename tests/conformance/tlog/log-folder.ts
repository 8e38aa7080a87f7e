// A log as a folder, as any web server would serve it.

import { generateKeyPairSync, sign } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { signCheckpoint } from "@paraph/tlog/checkpoint"
import { writeEntryBundle } from "@paraph/tlog/entry-bundle"
import { grow } from "@paraph/tlog/grow"
import { leafHash } from "@paraph/tlog/hash"
import { writeVerifierKey } from "@paraph/tlog/note-key"
import { entriesPath, tilePath, tilesOf } from "@paraph/tlog/tile"

export type WrittenLog = { readonly key: string; readonly root: string }

export async function writeLog(folder: string, entries: readonly Uint8Array[]): Promise<WrittenLog> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const key = {
    name: "paraph.test/log",
    type: "ed25519",
    publicKey: publicKey.export({ format: "der", type: "spki" }).subarray(-32),
  } as const
  const grown = await grow(0, entries.map(leafHash), async () => {
    throw new Error("There was nothing before.")
  })
  const put = async (path: string, bytes: Uint8Array | string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  for (const { bytes, ...tile } of grown.tiles) await put(tilePath(tile), bytes)
  for (const tile of tilesOf(entries.length))
    if (tile.level === 0)
      await put(entriesPath(tile), writeEntryBundle(entries.slice(tile.n * 256, tile.n * 256 + tile.width)))
  const signed = await signCheckpoint(key, grown, async (message) => sign(null, message, privateKey))
  await put("checkpoint", signed)
  return { key: writeVerifierKey(key), root: Buffer.from(grown.root).toString("base64") }
}
