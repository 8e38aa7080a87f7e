import { randomUUID } from "node:crypto"
import type { Caller } from "@paraph/core/access/caller"
import type { QueuedJob } from "@paraph/core/jobs"
import type { Read, Transact, Tx } from "@paraph/core/ports"
import { Refusal } from "@paraph/core/refusal"
import { addSigner } from "@paraph/core/signature-request/add-signer"
import { removeSignatureRequest, removeSigner, withdraw } from "@paraph/core/signature-request/change"
import { currentConsent } from "@paraph/core/signature-request/consent"
import { decline } from "@paraph/core/signature-request/decline"
import { transition } from "@paraph/core/signature-request/machine"
import { SIGNING_POINTS, type SigningParts } from "@paraph/core/signature-request/make-mark"
import { type SignatureRequest, statusOf } from "@paraph/core/signature-request/model"
import type { NewEntry } from "@paraph/core/signature-request/new-request"
import { expireRequest } from "@paraph/core/signature-request/pass-time"
import { requestSigning } from "@paraph/core/signature-request/request-signing"
import { performSigning } from "@paraph/core/signature-request/sign"
import { updateSignatureRequest } from "@paraph/core/signature-request/update"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createEnqueue } from "../jobs/enqueue.ts"
import { type Jobs, openJobs } from "../jobs/jobs.ts"
import { historyFault, leftOf, type Stored, storedOf } from "../testing/histories.ts"
import * as own from "../testing/own-database.ts"
import { insertLoose } from "./loose-blobs.ts"
import { createRead, createTransact } from "./transact.ts"

// A landing has enough of them that each of two wins now and then; the night has all (CONTRIBUTING.md).
// biome-ignore lint/style/noProcessEnv: how much is asked for
const PAIRS = process.env.PARAPH_LONG === "true" ? 2_000 : 500
const AT_ONCE = 8
const LATER = new Date(own.NOW.getTime() + 3_600_000)

let database: own.OwnDatabase
let jobs: Jobs
let transact: Transact
let read: Read
let tenant: own.Tenant

beforeAll(async () => {
  database = await own.createOwnDatabase({ migrated: true })
  jobs = await openJobs(database.url, { worker: false, onError: () => undefined })
  transact = createTransact({ db: database.db, enqueue: createEnqueue(jobs.boss), sealer: own.plainDetails })
  read = createRead(database.db, own.plainDetails)
  tenant = await own.insertTenant(database)
})

afterAll(async () => {
  await jobs?.stop(5_000)
  await database?.close()
})

/** What the opponent of somebody who signs does; each answers the request as it left it, where there is one. */
type Opponent = (parts: ReturnType<typeof partsOf>, request: SignatureRequest) => Promise<unknown>
type Race = { readonly signers: 1 | 2; readonly opponent: Opponent }

/** Tells when it has the lock of the request. */
const partsOf = (locked: () => void) => ({
  transact: (<T>(businessId: string, work: (tx: Tx) => Promise<T>) =>
    transact(businessId, (tx) =>
      work({ ...tx, lockRequest: (id) => tx.lockRequest(id).finally(locked) }),
    )) satisfies Transact,
  now: () => LATER,
  newId: randomUUID,
  identificationProviders: [],
  identityProviders: [],
  productionQualities: [],
  remoteProviders: [],
  timeZone: "Europe/Zurich",
  sha256: () => "ab",
})
const signer = (request: SignatureRequest, index: number) => ({
  businessId: request.businessId,
  requestId: request.id,
  signatureId: request.signatures[index]?.id ?? "",
})
const somebody = (): NewEntry => ({
  type: "person",
  email: "late@example.org",
  identity: null,
  place: null,
  notify: true,
  language: "en",
  wanted: { type: "all", visual: null },
})

/** Before the last day of the request is over, as the one who signs; the rest happens LATER, when it can expire. */
const inTime = <T extends { readonly now: () => Date }>(parts: T): T => ({ ...parts, now: () => own.NOW })

/** The first signer always signs, against each of these. */
const RACES: Readonly<Record<string, Race>> = {
  "the same signer declines": { signers: 1, opponent: (p, r) => decline(inTime(p), signer(r, 0), "No.") },
  "another signer declines": { signers: 2, opponent: (p, r) => decline(inTime(p), signer(r, 1), undefined) },
  "the request expires": {
    signers: 1,
    opponent: (p, r) => expireRequest(p, { businessId: r.businessId, requestId: r.id }),
  },
  "the request is withdrawn": { signers: 1, opponent: (p, r) => withdraw(p, caller(), r.id, "Wrong.") },
  "the request of two is withdrawn": {
    signers: 2,
    opponent: (p, r) => withdraw(p, caller(), r.id, null),
  },
  "the request is deleted": {
    signers: 1,
    opponent: (p, r) => removeSignatureRequest(p, caller(), r.id),
  },
  "a signer is added": { signers: 1, opponent: (p, r) => addSigner(p, caller(), r.id, somebody()) },
  "the signer is removed": {
    signers: 2,
    opponent: (p, r) => removeSigner(p, caller(), r.id, signer(r, 0).signatureId),
  },
  "the other signer is removed": {
    signers: 2,
    opponent: (p, r) => removeSigner(p, caller(), r.id, signer(r, 1).signatureId),
  },
  "the signers are replaced": {
    signers: 2,
    opponent: (p, r) =>
      updateSignatureRequest(p, caller(), {
        id: r.id,
        changes: {},
        entries: [somebody(), somebody()],
      }),
  },
  "the other signer signs": { signers: 2, opponent: (p, r) => sign(p, r, 1) },
  "the same signer signs": { signers: 2, opponent: (p, r) => sign(p, r, 0) },
}

it(`[ST-07] ${PAIRS} races of two leave legal histories only, and owe what these say and nothing else`, async () => {
  const names = Object.keys(RACES)
  const raced = new Map<string, Raced>()
  const race = async (n: number) => {
    const name = names[n % names.length] ?? ""
    const one = await raceOf(name, RACES[name] as Race, n)
    raced.set(one.request.id, one)
  }
  await inLanes(PAIRS, race)

  const all = [...raced.values()]
  expect(all.flatMap(({ name, unexpected }) => unexpected.map((error) => `${name}: ${error}`))).toEqual([])
  const stored = await storedOf(database, read, tenant, all)
  expect(all.flatMap((one) => historyFault(one, stored) ?? [])).toEqual([])
  await jobsRunAgain(all, stored)
  expect([...(await storedOf(database, read, tenant, all)).evidence]).toEqual([...stored.evidence])
  expect(await leftOf(database, all, stored)).toEqual([])
  expect(await deadlocks()).toBe(0)
  // That both of them win now and then says that they were raced.
  const ends = new Map(names.map((name) => [name, new Set<string>()]))
  for (const { name, request } of all) ends.get(name)?.add(endOf(stored, request.id))
  expect(Object.fromEntries([...ends].map(([name, seen]) => [name, [...seen].sort()]))).toEqual(EITHER)
}, 900_000)

/** Whoever waits for the other in a circle is thrown out after a second; so nobody would see it but the one who waits. */
async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`.execute(
    database.db,
  )
  return rows[0]?.count ?? -1
}

/** Who can end where: the one who was first decides. */
const EITHER: Readonly<Record<string, readonly string[]>> = {
  "the same signer declines": ["DECLINED 0", "SIGNED 1"],
  "another signer declines": ["DECLINED 0", "DECLINED 1"],
  "the request expires": ["EXPIRED 0", "SIGNED 1"],
  "the request is withdrawn": ["SIGNED 1", "WITHDRAWN 0"],
  "the request of two is withdrawn": ["WITHDRAWN 0", "WITHDRAWN 1"],
  "the request is deleted": ["gone 0", "gone 1"],
  "a signer is added": ["OPEN 1", "SIGNED 1"],
  "the signer is removed": ["OPEN 0", "OPEN 1"],
  "the other signer is removed": ["SIGNED 1"],
  "the signers are replaced": ["OPEN 0", "OPEN 1"],
  "the other signer signs": ["SIGNED 2"],
  "the same signer signs": ["OPEN 1"],
}

/** The status, and how many have signed. */
function endOf({ requests, evidence }: Stored, id: string): string {
  const made = evidence.get(id)?.filter(({ type }) => type === "signature.signed").length ?? 0
  const request = requests.get(id)
  return `${request === undefined ? "gone" : statusOf(request)} ${made}`
}

type Raced = {
  readonly name: string
  /** As it was when the two began. */
  readonly request: SignatureRequest
  /** What the opponent answered; null where it was refused. */
  readonly answer: SignatureRequest | null
  readonly unexpected: readonly string[]
}

/** The last two are within the transaction of the mark. */
const POINTS = ["together", "first", ...SIGNING_POINTS.slice(0, -1), "version-inserted", "request-locked"]

/**
 * The opponent begins where the signer is at a point that is drawn: at the same moment, before it, or at one of the
 * points of the signing job. The signer does not wait for it.
 */
async function raceOf(name: string, { signers, opponent }: Race, n: number): Promise<Raced> {
  const request = await newRequest(signers)
  const point = POINTS[Math.floor(n / Object.keys(RACES).length) % POINTS.length]
  const unexpected: string[] = []
  const settled = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof Refusal)) unexpected.push(`${point}: ${String(error)}`)
      return null
    })
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const ahead = Promise.withResolvers<void>()
  const opposes = begun.then(() => settled(opponent(partsOf(ahead.resolve), request))).finally(ahead.resolve)
  if (point === "first") {
    begin()
    await ahead.promise
  }
  const signs = settled(
    sign(
      partsOf(() => undefined),
      request,
      0,
      (passed) => passed === point && begin(),
    ),
  )
  if (point === "together") begin()
  // A signer who was refused never comes to the point.
  await signs.finally(begin)
  const answer = await opposes
  return { name, request, answer: (answer ?? null) as SignatureRequest | null, unexpected }
}

async function newRequest(signers: number) {
  const document = await own.storedDocument(database, tenant, { sizeBytes: 6 })
  const url = (type: string) => `https://integrator.example/${type}?id=SIGNATURE_REQUEST_ID`
  const draft = own.sampleRequest(tenant, [document], signers, {
    callbacks: { success: url("success"), update: url("update"), error: url("error") },
    expiresAt: { date: "2026-11-02", passesAt: new Date(own.NOW.getTime() + 60_000) },
    ccEmailAddresses: ["cc@example.org"],
  })
  const { request } = transition(draft, { type: "start", members: [], at: own.NOW })
  await transact(tenant.businessId, async (tx) => {
    await tx.insertDocument(document)
    await tx.insertRequest(request)
  })
  return request
}

/** The press of the button, and the job that it makes; who loses the race has nothing to do, which is no fault. */
async function sign(
  parts: ReturnType<typeof partsOf>,
  request: SignatureRequest,
  index: number,
  pass: (point: string) => void = () => undefined,
): Promise<void> {
  const who = signer(request, index)
  const { version } = currentConsent()
  const shown = request.documents.map(({ id }) => id)
  const agreed = { name: "Ann Example", consentVersion: version, shown }
  // In time: whoever agrees after the date has passed is refused, whether or not it was swept.
  await requestSigning({ ...parts, now: () => own.NOW }, who, agreed)
  const [documentId = ""] = shown
  await performSigning(signingParts(pass), { ...who, documentId })
}

/** Every signing job once more, late: nobody's mark is made twice, and nothing that has ended is touched. */
async function jobsRunAgain(all: readonly Raced[], stored: Stored): Promise<void> {
  const late = all.flatMap(({ request: { id } }) => stored.jobs.get(id) ?? [])
  const again = async (job: QueuedJob) =>
    job.task === "sign-document" &&
    performSigning(
      signingParts(() => undefined),
      job,
    )
  await inLanes(late.length, (n) => again(late[n] as QueuedJob))
}

async function inLanes(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

/** The store is the real one; what is not asked here is whether the bytes are a PDF. */
const signingParts = (pass: (point: string) => void): SigningParts => ({
  transact: (businessId, work) =>
    transact(businessId, (tx) =>
      work({
        ...tx,
        insertDocument: async (document) => {
          await tx.insertDocument(document)
          pass("version-inserted")
        },
        saveRequest: (request, before) => {
          pass("request-locked")
          return tx.saveRequest(request, before)
        },
      }),
    ),
  read,
  sha256Of: () => "",
  destroySignerKey: async () => undefined,
  certificateOf: async () => "of the test",
  isInVain: async () => false,
  holdDocument: async (document) => held(document.sha256, document.sizeBytes),
  holdBytes: async (_, bytes) => {
    let sizeBytes = 0
    for await (const piece of bytes) sizeBytes += piece.length
    return held("cd".repeat(32), sizeBytes)
  },
  readHeld: async function* ({ sizeBytes }) {
    yield new Uint8Array(sizeBytes)
  },
  inspectPdf: async () => ({ ...DESCRIBED, locked: false, active: [], view: [] }),
  keepHeld: async ({ name }) => {
    await insertLoose(database.db, name, LATER)
    return { name, wrappedKey: Buffer.from("wrapped"), keyVersion: 1 }
  },
  prepareMark: async ({ sha256 }) => ({
    signedAttributes: "",
    certificateSha256: "of the test",
    baseSha256: sha256,
    engine: "",
  }),
  signBytes: async () => Uint8Array.of(1),
  stampValue: async () => Uint8Array.of(2),
  finishMark: () => Uint8Array.of(1),
  raiseMarks: async () => ({ tail: Uint8Array.of(3), archiveEndsAt: null }),
  now: () => LATER,
  newId: randomUUID,
  pass,
})

const DESCRIBED = {
  pageCount: 1,
  pageWidth: 595,
  pageHeight: 842,
  pageSizes: [{ count: 1, width: 595, height: 842 }],
  signatureFields: [],
  pdfa: null,
}

const held = (sha256: string, sizeBytes: number) => {
  const file = { path: "", key: new Uint8Array(), context: "", sizeBytes }
  const name = `documents/${randomUUID()}`
  return {
    ...{ businessId: tenant.businessId, kind: "production" as const },
    ...{ name, sizeBytes, sha256, file, release: async () => undefined },
  }
}

const caller = (): Caller => ({
  businessId: tenant.businessId,
  userId: tenant.ownerId,
  username: tenant.owner,
  keyId: randomUUID(),
  kind: "demo",
})
