import { randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseEnv } from "node:util"
import type { Document } from "@paraph/core/document/model"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import pg from "pg"
import { inject } from "vitest"
import { insertBusiness, insertUser } from "../postgres/businesses.ts"
import { type OpenDatabase, openDatabase, type scope } from "../postgres/database.ts"
import { detailsOf } from "../postgres/document-rows.ts"
import { insertLoose } from "../postgres/loose-blobs.ts"
import { migrate } from "../postgres/migrate.ts"
import { withServiceScope } from "../postgres/service-scope.ts"
import type { RowSealer } from "../postgres/transact.ts"

/**
 * For tests: an empty database on the server of the stack, by the role that owns its schema. Its address, pool and connections have the
 * service scope, so that a test reads and writes all rows; a transaction of a business does not, here either.
 */
export type OwnDatabase = Omit<OpenDatabase, "db"> & {
  readonly url: string
  /** Also as a handle for transactions of a business. */
  readonly db: OpenDatabase["db"] & { readonly [scope]: never }
}

export function stackSettings(): Readonly<Record<string, string>> {
  const settings = parseEnv(readFileSync(join(inject("stackDir"), "env"), "utf8"))
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? ""]))
}

/** `close` takes it away again. */
export async function createOwnDatabase(options: { readonly migrated: boolean }): Promise<OwnDatabase> {
  const stackUrl = stackSettings().DATABASE_OWNER_URL ?? ""
  const name = `paraph_${randomBytes(6).toString("hex")}`
  await asAdministrator(stackUrl, `create database ${name}`)
  const url = withServiceScope(Object.assign(new URL(stackUrl), { pathname: `/${name}` }).href)
  if (options.migrated) await migrate(url)
  const opened = openDatabase(url, { max: 20, name: "paraph-test" })
  const close = async () => {
    await opened.close()
    await asAdministrator(stackUrl, `drop database ${name} with (force)`)
  }
  return { ...opened, db: opened.db as OwnDatabase["db"], url, close }
}

/** The address of the same database by the server's role, which gets its rights. */
export async function serverUrl(owned: OwnDatabase): Promise<string> {
  const url = Object.assign(new URL(stackSettings().DATABASE_URL ?? ""), {
    pathname: new URL(owned.url).pathname,
  }).href
  await migrate(owned.url, url)
  return url
}

/** The same database by the role of the server, as the server's processes open it. */
export const openAsServer = async (owned: OwnDatabase): Promise<OpenDatabase> =>
  openDatabase(await serverUrl(owned), { max: 4, name: "paraph-test" })

async function asAdministrator(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

export type Tenant = { readonly businessId: string; readonly ownerId: string; readonly owner: string }

export async function insertTenant({ serviceDb }: Pick<OpenDatabase, "serviceDb">): Promise<Tenant> {
  const tenant = { businessId: randomUUID(), ownerId: randomUUID(), owner: `user-${randomUUID()}` }
  await insertBusiness(serviceDb, {
    id: tenant.businessId,
    name: "Acme AG",
    kekId: "test",
    wrappedKey: new Uint8Array(60),
    now: NOW,
  })
  await insertUser(serviceDb, {
    id: tenant.ownerId,
    businessId: tenant.businessId,
    username: tenant.owner,
    now: NOW,
  })
  return tenant
}

export const NOW = new Date("2026-11-02T09:00:00.000Z")

export const sampleDocument = (tenant: Tenant, more: Partial<Document> = {}): Document => ({
  id: randomUUID(),
  ...tenant,
  kind: "demo",
  title: "Contract",
  contentType: "application/pdf",
  sizeBytes: 112_500_000,
  sha256: "ab".repeat(32),
  pageCount: 3,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [{ count: 3, width: 595, height: 842 }],
  signatureFields: [],
  pdfa: null,
  parentId: null,
  blob: { name: `documents/${randomUUID()}`, wrappedKey: Buffer.from("wrapped"), keyVersion: 1 },
  readAccess: ["reader@example.org"],
  writeAccess: [],
  createdAt: NOW,
  updatedAt: NOW,
  viewChecked: true,
  flattened: null,
  removingSince: null,
  ...more,
})

/** A document whose object is in the bucket, as far as the rows know, and waits to be owned. */
export async function storedDocument(
  { serviceDb }: Pick<OpenDatabase, "serviceDb">,
  tenant: Tenant,
  more: Partial<Document> = {},
): Promise<Document> {
  const document = sampleDocument(tenant, more)
  await insertLoose(serviceDb, document.blob.name, NOW)
  return document
}

const plainStory = {
  seal: (_: number | string, plain: Uint8Array) => Buffer.from(plain),
  open: (_: number | string, sealed: Uint8Array) => Buffer.from(sealed),
}

/** Keeps the details of a document, and intents, as they are, where no keys are at hand. */
export const plainDetails: RowSealer = {
  seal: async (document) => Buffer.from(JSON.stringify(detailsOf(document))),
  open: async (_, sealed) => JSON.parse(sealed.toString()),
  sealPrepared: async (_base, _key, prepared) => Buffer.from(JSON.stringify(prepared)),
  openPrepared: async (_base, _key, sealed) => JSON.parse(sealed.toString()),
  sealAttachment: async (_, said) => said,
  openAttachment: async (_, sealed) => sealed,
  sealLook: async (_, plain) => ({ sealed: Buffer.from(plain), keyVersion: 1 }),
  openLook: async (_, { sealed }) => sealed,
  sealSecrets: async (_, secrets) => ({ sealed: secrets, keyVersion: 1 }),
  openSecrets: async (_, { sealed }) => sealed,
  sealMail: async (_, plain) => ({ ...plain, keyVersion: 1 }),
  openMail: async (_, _part, { sealed }) => sealed,
  sealResult: async () => ({ keyVersion: 1, seal: (_, plain) => Buffer.from(plain) }),
  openResult: async (_, _part, { sealed }) => sealed,
  newStoryKey: async () => ({ keyVersion: 1, wrappedKey: Buffer.alloc(1), ...plainStory }),
  openStoryKey: async () => plainStory,
}

/** A draft of so many signers without a place, each of whom signs every document. */
export const sampleRequest = (
  tenant: Tenant,
  documents: readonly Document[],
  signers: number,
  more: Partial<SignatureRequest> = {},
): SignatureRequest => ({
  id: randomUUID(),
  ...tenant,
  kind: "demo",
  title: "Contract",
  message: null,
  lifecycle: "draft",
  inviting: "in-order",
  quality: "SES",
  legislation: null,
  creator: null,
  custom: null,
  attachOnSuccess: [],
  expiresAt: null,
  autoDeleteAt: null,
  withdrawMessage: null,
  expiryWarnedAt: null,
  groups: [],
  observers: [],
  attachments: [],
  documents: documents.map(({ id, title }) => ({ id, newestId: id, name: title, renewAt: null })),
  signatures: Array.from({ length: signers }, (_, index) => ({
    id: randomUUID(),
    email: `signer${index}@example.org`,
    identity: null,
    identification: null,
    vouch: null,
    groupId: null,
    notify: true,
    restricted: false,
    invitedAt: null,
    lastViewedAt: null,
    remindedAt: null,
    mailProblem: null,
    turn: null,
    waitingFor: null,
    place: null,
    language: "en",
    state: "open",
    consent: null,
    signedAt: null,
    declineReason: null,
    marks: documents.map(({ id }) => ({ documentId: id, versionId: null, visual: null })),
  })),
  callbacks: {},
  readAccess: [],
  writeAccess: [],
  ccEmailAddresses: [],
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
})
