import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Document } from "@paraph/core/document/model"
import type { Bytes } from "@paraph/core/document/ports"
import type { Read, Transact } from "@paraph/core/ports"
import { newKey } from "@paraph/seal/wrap"
import { audit, type Finding } from "../blobs/audit.ts"
import { type Blobs, createBlobs } from "../blobs/blobs.ts"
import type { Bucket } from "../blobs/bucket.ts"
import { createRowSealer } from "../blobs/details.ts"
import { createFolderBucket } from "../blobs/folder-bucket.ts"
import { openSpool, type Spool } from "../blobs/spool.ts"
import { createBusinessKeys } from "../keys/business-keys.ts"
import { businessContext, type KeyRing } from "../keys/key-ring.ts"
import { insertBusiness, insertUser } from "../postgres/businesses.ts"
import * as loose from "../postgres/loose-blobs.ts"
import { createRead, createTransact, type RowSealer } from "../postgres/transact.ts"
import { createOwnDatabase, NOW, type OwnDatabase, sampleDocument, type Tenant } from "./own-database.ts"
import { createOwnKeys, type OwnKeys } from "./own-keys.ts"

/** For tests: all that keeps documents, put together as the server does it, with a clock that the test sets. */
export type OwnStore = {
  readonly database: OwnDatabase
  readonly bucket: Bucket
  readonly spool: Spool
  readonly operator: OwnKeys
  readonly ring: KeyRing
  readonly blobs: Blobs
  readonly sealer: RowSealer
  readonly transact: Transact
  readonly read: Read
  readonly clock: { now: Date }
  /** A business whose key opens. */
  readonly tenant: () => Promise<Tenant>
  /** Taken in as the service does it: held, kept, and owned by a row. */
  readonly upload: (tenant: Tenant, bytes: Uint8Array, more?: Partial<Document>) => Promise<Document>
  readonly remove: (document: Document) => Promise<void>
  /** What a worker does, at the time of the clock. */
  readonly sweep: (limit?: number) => Promise<readonly string[]>
  readonly findings: () => Promise<Finding[]>
  readonly close: () => Promise<void>
}

export type StoreOptions = {
  /** A folder, unless given. */
  readonly bucket?: Bucket
  readonly shelfBytes?: number
  readonly database?: OwnDatabase
}

export async function createOwnStore(options: StoreOptions = {}): Promise<OwnStore> {
  const database = options.database ?? (await createOwnDatabase({ migrated: true }))
  const { db } = database
  const folder = mkdtempSync(join(tmpdir(), "paraph-store-"))
  const bucket = options.bucket ?? createFolderBucket(join(folder, "bucket"))
  const spool = await openSpool(join(folder, "spool"))
  const operator = createOwnKeys()
  const ring = operator.ring("test")
  const clock = { now: NOW }
  const keys = createBusinessKeys(db, ring, () => clock.now)
  const blobs = createBlobs({
    bucket,
    spool,
    keys,
    insertLoose: (name, dueAt) => loose.insertLoose(db, name, dueAt),
    makeDue: (name, at) => loose.makeDue(db, name, at),
    now: () => clock.now,
    shelfBytes: options.shelfBytes ?? 0,
  })
  const sealer = createRowSealer(blobs.keyOf, keys)
  const transact = createTransact({ db, enqueue: async () => undefined, sealer })
  return {
    ...{ database, bucket, spool, operator, ring, blobs, sealer, transact, clock },
    read: createRead(db, sealer),
    tenant: () => insertTenantWithKey(database, ring),
    upload: async (tenant, bytes, more = {}) => {
      const document = await kept(blobs, tenant, bytes, more)
      await transact(tenant.businessId, (tx) => tx.insertDocument(document))
      return document
    },
    remove: (document) => transact(document.businessId, (tx) => tx.removeDocument(document, clock.now)),
    sweep: async (limit = 100) => {
      const againAt = new Date(clock.now.getTime() + 300_000)
      const names = await loose.claimDue(db, clock.now, { limit, againAt })
      for (const name of names) await bucket.remove(name)
      await loose.forgetLoose(db, names)
      return names
    },
    findings: async () => {
      const findings: Finding[] = []
      for await (const finding of audit(db, bucket)) findings.push(finding)
      return findings
    },
    close: async () => {
      await spool.close()
      if (options.database === undefined) await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** In the bucket, and owned by nobody yet. */
export async function kept(
  blobs: Blobs,
  tenant: Tenant,
  bytes: Uint8Array,
  more: Partial<Document> = {},
): Promise<Document> {
  const held = await blobs.holdBytes({ businessId: tenant.businessId, kind: "production" }, once(bytes))
  try {
    const blob = await blobs.keepHeld(held)
    return sampleDocument(tenant, { sizeBytes: held.sizeBytes, sha256: held.sha256, blob, ...more })
  } finally {
    await held.release()
  }
}

async function insertTenantWithKey({ db }: OwnDatabase, ring: KeyRing): Promise<Tenant> {
  const tenant = { businessId: randomUUID(), ownerId: randomUUID(), owner: `user-${randomUUID()}` }
  const { id: kekId, wrapped: wrappedKey } = await ring.wrap(newKey(), businessContext(tenant.businessId, 1))
  await insertBusiness(db, { id: tenant.businessId, name: "Acme AG", kekId, wrappedKey, now: NOW })
  await insertUser(db, {
    id: tenant.ownerId,
    businessId: tenant.businessId,
    username: tenant.owner,
    now: NOW,
  })
  return tenant
}

export async function* once(bytes: Uint8Array): Bytes & AsyncGenerator<Uint8Array> {
  yield bytes
}
