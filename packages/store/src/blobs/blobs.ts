import { randomUUID } from "node:crypto"
import type { SealedBlob } from "@paraph/core/document/model"
import type {
  Abandon,
  ByteRange,
  Held,
  HoldBytes,
  HoldDocument,
  KeepHeld,
  ReadContent,
  ReadHeld,
  StoredBytes,
} from "@paraph/core/document/ports"
import type { Tenant } from "@paraph/core/fair-share/owner"
import type { Clock } from "@paraph/core/ports"
import { readSealedFile } from "@paraph/seal/file"
import { openRange, sealedRange } from "@paraph/seal/range"
import { sealedSize } from "@paraph/seal/stream"
import { newKey, unwrapKey, wrapKey } from "@paraph/seal/wrap"
import type { BusinessKeys } from "../keys/business-keys.ts"
import type { Trx } from "../postgres/database.ts"
import type { Bucket, SealedBytes } from "./bucket.ts"
import { blobContext } from "./context.ts"
import { createShelf } from "./shelf.ts"
import type { Spool, Spooled } from "./spool.ts"

export type Blobs = {
  readonly holdBytes: HoldBytes
  /** The same in two steps, for whoever brings the bytes into the spool by a way of its own. */
  readonly beginHolding: (owner: Tenant) => Holding
  readonly holdDocument: HoldDocument
  readonly readHeld: ReadHeld
  readonly keepHeld: KeepHeld
  readonly abandon: Abandon
  readonly readContent: ReadContent
  /** The document's own key, for what else is sealed with it; whoever is in a transaction says so. */
  readonly keyOf: (of: KeyPlace, within?: Trx) => Promise<Uint8Array>
}

export type Holding = {
  /** To seal these bytes with, and no others. */
  readonly key: Uint8Array
  readonly context: string
  readonly hold: (spooled: Spooled) => Held
}

export type KeyPlace = { readonly businessId: string; readonly blob: SealedBlob }

export type BlobParts = {
  readonly bucket: Bucket
  readonly spool: Spool
  readonly keys: BusinessKeys
  readonly insertLoose: (name: string, dueAt: Date) => Promise<void>
  readonly makeDue: (name: string, at: Date) => Promise<void>
  readonly now: Clock
  /** How many bytes of documents that nobody holds just now may stay in the spool. */
  readonly shelfBytes: number
}

/** Much longer than what follows the bucket takes: a look, a scan, a transaction. */
export const OWNED_WITHIN_MS = 3_600_000
/** A bucket that is slower than this is too slow: the sweep may come, find nothing yet, and forget the name. */
const STORED_WITHIN_MS = OWNED_WITHIN_MS / 2

/** One immutable object and one AES-256 key per document version (ADR 0008, 0017). */
export function createBlobs(parts: BlobParts): Blobs {
  const { bucket, spool, keys, now } = parts
  const shelf = createShelf(spool, bucket, parts.shelfBytes)
  /** What is on its way in, and not in the bucket yet. */
  const arriving = new WeakMap<Held, SealedBytes>()
  const keyOf = async ({ businessId, blob }: KeyPlace, within?: Trx): Promise<Uint8Array> => {
    const key = await keys.of(businessId, blob.keyVersion, within)
    return unwrapKey(key, blob.wrappedKey, blobContext(businessId, blob.name))
  }

  const beginHolding = ({ businessId, kind }: Tenant): Holding => {
    const name = `documents/${randomUUID()}`
    const context = blobContext(businessId, name)
    const key = newKey()
    const hold = ({ sizeBytes, sha256, sealed }: Spooled): Held => {
      const file = { path: sealed.path, key, context, sizeBytes }
      const release = () => spool.remove(sealed.path)
      const held: Held = { businessId, kind, name, sizeBytes, sha256, file, release }
      arriving.set(held, sealed)
      return held
    }
    return { key, context, hold }
  }

  return {
    keyOf,
    beginHolding,
    holdBytes: async (owner, bytes) => {
      const { key, context, hold } = beginHolding(owner)
      return hold(await spool.take(key, context, bytes))
    },
    holdDocument: async (document) => {
      const { businessId, kind, sizeBytes, sha256, blob } = document
      const key = await keyOf(document)
      const { path, release } = await shelf.take(blob.name, sealedSize(sizeBytes))
      const file = { path, key, context: blobContext(businessId, blob.name), sizeBytes }
      return { businessId, kind, name: blob.name, sizeBytes, sha256, file, release }
    },
    readHeld: ({ file }) => readSealedFile(file),
    keepHeld: async (held) => {
      const { businessId, name, file } = held
      const sealed = arriving.get(held)
      if (sealed === undefined) throw new Error("These bytes are not on their way in.")
      // Asked for twice: before anything is stored, since there may be none, and after it, since that takes its time.
      await keys.newest(businessId)
      arriving.delete(held)
      const began = now().getTime()
      await parts.insertLoose(name, new Date(began + OWNED_WITHIN_MS))
      await bucket.put(name, sealed)
      if (now().getTime() - began > STORED_WITHIN_MS) {
        await bucket.remove(name)
        throw new Error("The bucket took too long.")
      }
      const { version, key } = await keys.newest(businessId)
      return { name, wrappedKey: wrapKey(key, file.key, file.context), keyVersion: version }
    },
    abandon: ({ name }) => parts.makeDue(name, now()),
    readContent: (stored, range) => read(bucket, stored, range, () => keyOf(stored)),
  }
}

async function* read(
  bucket: Bucket,
  { businessId, sizeBytes, blob }: StoredBytes,
  range: ByteRange = { start: 0, end: sizeBytes },
  keyOf: () => Promise<Uint8Array>,
) {
  const { start, end } = range
  const { from, to } = sealedRange(sizeBytes, start, end)
  const sealed = bucket.get(blob.name, { start: from, end: to })
  yield* openRange(await keyOf(), blobContext(businessId, blob.name), sizeBytes, start, end, sealed)
}
