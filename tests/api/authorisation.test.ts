import { generateKeyPairSync, randomUUID } from "node:crypto"
import { decodeJwt, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, call, createApi, VERSIONS, type Version } from "../service/api.ts"
import { registryOf } from "../service/identification.ts"
import { MANAGED, type ManagedRow } from "../service/managed-operations.ts"
import { memberApi } from "../service/members.ts"
import { addressOf, MATRIX, type Operation, operationsOf, type Row } from "../service/operations.ts"
import { createRequest, newAddress, uploadTo } from "../service/requests.ts"
import { KNOWN, type Known, RULES } from "../service/rules.ts"
import { type Service, startService } from "../service/service.ts"
import {
  newDocument,
  newGroup,
  newRequest,
  newTemplate,
  newThings,
  newWebhook,
  type People,
  type Things,
} from "../service/things.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

/** Those whose token is none, or none any more. */
const UNKNOWN = ["anonymous", "expired", "revoked", "another audience", "another region"] as const
type Role = Known | (typeof UNKNOWN)[number]

/** Who finds the thing in a list that everybody may ask for. */
const SEEN: Readonly<Record<NonNullable<Row["to"]> | "readers", readonly Known[]>> = {
  readers: ["the owner", "the writer", "the reader", "the observer"],
  "readers of the document": ["the owner", "the writer", "the reader"],
  "the owner": ["the owner"],
  "the business": KNOWN.filter((r) => r !== "another business" && r !== "the owner with a demo key"),
}

/** That of the service: what is wrong with a token of the test is not its signature, unless it is meant to be. */
const tokenKey = generateKeyPairSync("ed25519").privateKey
let service: Service
/** The owner. */
let api: Api
let tokens: Record<Role, string | null>
let people: People
/** Of the business, made by one of its people. */
let templateId: string
beforeAll(async () => {
  const TOKEN_KEY = tokenKey.export({ format: "pem", type: "pkcs8" }).toString()
  const IDENTIFICATION_REGISTRY_FILE = registryOf("production")
  service = await startService({ worker: false, env: { TOKEN_KEY, IDENTIFICATION_REGISTRY_FILE } })
  people = {
    writer: "writer",
    reader: "reader",
    signer: newAddress("signer"),
    observer: newAddress("observer"),
    identified: true,
  }
  for (const feature of ["expires_at", "express_qes"])
    await service.paraph(
      ...["admin", "set-feature", "--business", service.business, "--feature", feature, "--on"],
    )
  tokens = await tokensOf()
  api = await createApi(service.url, service.username, service.productionKey)
  templateId = await newTemplate(await memberApi(service, "owner", { kind: "production" }))
}, 300_000)
afterAll(() => service?.close())

async function tokensOf(): Promise<Record<Role, string | null>> {
  const kind = "production"
  const user = async (name: string, business = service.business) =>
    (await addUser(service, name, { business, kind })).token
  const { url, username, demoKey, productionKey } = service
  const owner = (await createApi(url, username, productionKey)).token
  const claims = decodeJwt(owner)
  const signed = (more: object, key = tokenKey) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" }).sign(key)
  const abroad = "https://api.de.example.org"
  const other = await addBusiness(service, "Other AG")
  const [writer, reader, signer, observer, colleague, elsewhere, demo, revoked] = await Promise.all([
    ...[people.writer, people.reader, people.signer, people.observer, "colleague"].map((name) => user(name)),
    user("elsewhere", other),
    createApi(url, username, demoKey).then(({ token }) => token),
    revokedToken(),
  ])
  return {
    "the owner": owner,
    "the writer": writer ?? "",
    "the reader": reader ?? "",
    "the signer": signer ?? "",
    "the observer": observer ?? "",
    "a colleague": colleague ?? "",
    "another business": elsewhere ?? "",
    "the owner with a demo key": demo ?? "",
    anonymous: null,
    expired: await signed({ iat: 1_700_000_000, exp: 1_700_001_200 }),
    revoked: revoked ?? "",
    "another audience": await signed({ aud: abroad }),
    "another region": await signed({ iss: abroad, aud: abroad }, generateKeyPairSync("ed25519").privateKey),
  }
}

/** Of the owner, by a key that is no more. */
async function revokedToken(): Promise<string> {
  const { username, url } = service
  const made = await service.paraph("admin", "create-key", "--user", username, "--kind", "production")
  const api = await createApi(url, username, made["api-key"] ?? "")
  expect((await api.get("/v2/documents")).status).toBe(200)
  await service.paraph("admin", "revoke-key", "--key", made.key ?? "")
  await until("the key is dead", async () => (await api.get("/v2/documents")).status === 401)
  return api.token
}

it("tokens that were signed for the test are good but for the one thing that is wrong with each", async () => {
  const again = await new SignJWT(decodeJwt(tokens["the owner"] ?? ""))
    .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" })
    .sign(tokenKey)
  const { status } = await call(service.url, "GET", "/v2/documents", undefined, {
    authorization: `Bearer ${again}`,
  })
  expect(status).toBe(200)
})

describe.each(VERSIONS)("%s", (v) => {
  it("[R01] every operation has its row in the matrix", () => {
    expect(operationsOf(v).filter(({ id }) => MATRIX[id] === undefined)).toEqual([])
  })

  it("[R01] [DOC-13] each operation answers each of 13 as it must: no 2xx that is not theirs, and nothing is changed by who may not", async () => {
    const wrong: string[] = []
    // A business has so many webhooks and no more, and a page so many events.
    await service.sql("delete from webhook; delete from event")
    const shared = new Map<string, Things>()
    for (const on of ["draft", "open", "ended"] as const)
      shared.set(on, { ...(await newThings(api, service.username, people, on)), templateId })
    const before = await picturesOf([...shared.values()])
    const insiders: [Role, Operation][] = []
    for (const operation of operationsOf(v))
      for (const role of [...UNKNOWN, ...KNOWN]) {
        const things = shared.get(MATRIX[operation.id]?.on ?? "open") as Things
        if (changes(operation) && expected(operation, role) === "ok") insiders.push([role, operation])
        else wrong.push(...faultOf(operation, role, things, await send(v, role, operation, things)))
      }
    expect(wrong).toEqual([])
    expect(await picturesOf([...shared.values()])).toEqual(before)
    // Each on things of its own, since the first of them may leave nothing for the next.
    for (const [role, operation] of insiders) {
      const things = await renewed(shared, operation)
      wrong.push(...faultOf(operation, role, things, await send(v, role, operation, things)))
    }
    expect(wrong).toEqual([])
  }, 300_000)

  it("[R08] of an id that is another's, was deleted or never was each operation says the same", async () => {
    const wrong: string[] = []
    const deleted = await deletedThings()
    const about = operationsOf(v).filter(
      ({ id, path }) => path.includes("{") && MATRIX[id]?.rule !== "people",
    )
    expect(about.length).toBeGreaterThan(10)
    const shared = { ...(await newThings(api, service.username, people, "ended")), templateId }
    for (const operation of about) {
      const never = words(await send(v, "the owner", operation, neverThings(shared)))
      if (never.status !== 404) wrong.push(`${operation.id} of nothing: ${never.status}`)
      const others: [Role, Things][] = [["the owner", deleted]]
      for (const role of KNOWN) if (expected(operation, role) === 404) others.push([role, shared])
      for (const [role, things] of others) {
        const answer = words(await send(v, role, operation, things))
        if (JSON.stringify(answer) !== JSON.stringify(never))
          wrong.push(`${operation.id} by ${role}: ${JSON.stringify([answer, never])}`)
      }
    }
    expect(wrong).toEqual([])
  }, 300_000)
})

describe("what a business manages", () => {
  const ROLES = ["owner", "admin", "developer", "member"] as const

  it("[R01] each operation answers each role as it must, and another business's people as if nothing were there", async () => {
    const wrong: string[] = []
    const owner = await memberApi(service, "owner")
    const elsewhere = await memberApi(service, "owner", { business: await addBusiness(service, "Third AG") })
    const managed = operationsOf("v3").filter(({ id }) => MANAGED[id] !== undefined)
    expect(managed.map(({ id }) => id).sort()).toEqual(Object.keys(MANAGED).sort())
    for (const role of ROLES) {
      const person = await memberApi(service, role)
      for (const operation of managed) {
        const { roles, ok } = MANAGED[operation.id] as ManagedRow
        const answer = await manage(person, operation, await objectOf(owner, operation))
        const must = roles.includes(role) ? [ok].flat() : [403]
        const isTold = must[0] !== 403 || answer.body?.key === "error.role.needed"
        if (!must.includes(answer.status) || !isTold)
          wrong.push(`${operation.id} by ${role}: ${answer.status} ${answer.bytes.toString().slice(0, 200)}`)
      }
    }
    for (const operation of managed.filter(({ path }) => path.includes("{id}"))) {
      const { status } = await manage(elsewhere, operation, await objectOf(owner, operation))
      if (status !== 404) wrong.push(`${operation.id} by another business: ${status}`)
    }
    expect(wrong).toEqual([])
  }, 300_000)
})

function manage(by: Api, { id, method, path }: Operation, object: string): Promise<Answer> {
  const { body, type, query } = MANAGED[id] as ManagedRow
  const address = `/v3${path.replace("{id}", object)}${query === undefined ? "" : `?${query()}`}`
  const headers = {
    authorization: `Bearer ${by.token}`,
    ...(type !== undefined && { "content-type": type }),
  }
  return call(service.url, method, address, body?.(), headers)
}

/** A new one for each try, the owner's. */
async function objectOf(owner: Api, { path }: Operation): Promise<string> {
  if (!path.includes("{id}")) return ""
  if (path.startsWith("/templates")) return newTemplate(owner)
  if (path.startsWith("/seals")) return randomUUID()
  if (path.startsWith("/signature-requests"))
    return (await createRequest(owner, "v3", await uploadTo(owner, "v3"))).body.id
  const [where, body] = path.startsWith("/members")
    ? ["members", { email: newAddress("managed"), role: "member" }]
    : ["api-keys", { name: "Shop", kind: "demo" }]
  return (await owner.post(`/v3/${where}`, body)).body.id
}

/** What was there a moment ago; a document that is of no request is gone at once. */
async function deletedThings(): Promise<Things> {
  const things = { ...(await newThings(api, service.username, people, "ended")), templateId: randomUUID() }
  for (const path of [
    `signature-requests/${things.requestId}`,
    `documents/${things.looseId}`,
    `groups/${things.groupId}`,
    `webhooks/${things.webhookId}`,
  ])
    expect([path, (await api.delete(`/v3/${path}`)).status]).toEqual([path, 204])
  return { ...things, documentId: things.looseId, secondId: things.looseId }
}

/** Ids of the same form, which nothing has. */
const neverThings = (things: Things): Things =>
  Object.fromEntries(
    Object.entries(things).map(([name, id]) => [name, name.endsWith("Id") ? randomUUID() : id]),
  ) as Things

/** What an answer says, but for the very ids in it. */
function words({ status, body }: Answer): { readonly status: number } {
  const said = JSON.stringify(body ?? null).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
  return { status, said: JSON.parse(said) } as { readonly status: number }
}

/** What the operation changes is new, the rest is as before. */
async function renewed(shared: ReadonlyMap<string, Things>, { id, path }: Operation): Promise<Things> {
  const on = MATRIX[id]?.on ?? "open"
  const things = shared.get(on) as Things
  if (path.startsWith("/groups")) return { ...things, groupId: await newGroup(api) }
  if (/^.(webhooks|events)/.test(path)) return { ...things, ...(await newWebhook(api)) }
  if (path.startsWith("/documents")) return { ...things, looseId: await newDocument(api, people) }
  return { ...things, ...(await newRequest(api, people, on, things)) }
}

/** Rules with an object that is changed by it. */
const changes = ({ id, method }: Operation): boolean =>
  method !== "GET" &&
  ["write", "write document", "own", "own of the business"].includes(MATRIX[id]?.rule ?? "")

function expected({ id }: Operation, role: Role): number | "ok" {
  const rule = MATRIX[id]?.rule ?? "own"
  const known = KNOWN.find((one) => one === role)
  if (known === undefined) return rule === "public" ? "ok" : 401
  return RULES[rule][known]
}

function faultOf(operation: Operation, role: Role, things: Things, answer: Answer): readonly string[] {
  const { ok, shows, to } = MATRIX[operation.id] as Row
  const must = expected(operation, role)
  const statuses = [must === "ok" ? ok : must].flat()
  const what = `${operation.method} ${operation.path} by ${role}`
  if (!statuses.includes(answer.status)) return [`${what}: ${answer.status}, not ${statuses.join(" or ")}`]
  if (shows === undefined || must !== "ok") return []
  const mayBeThere = SEEN[to ?? "readers"].some((one) => one === role)
  const isThere = answer.bytes.toString().includes(shows(things))
  return isThere === mayBeThere ? [] : [`${what}: ${isThere ? "shows" : "does not show"} the thing`]
}

function send(v: Version, role: Role, operation: Operation, things: Things): Promise<Answer> {
  const { method, id } = operation
  const token = tokens[role]
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  const address = addressOf(operation, v, things)
  if (id === "login") return login(v, address, authorization)
  const { body, type } = MATRIX[id] as Row
  const headers = { ...authorization, ...(type !== undefined && { "content-type": type }) }
  return call(service.url, method, address, body?.(things, v), headers)
}

function login(v: Version, address: string, authorization: Record<string, string>): Promise<Answer> {
  const credentials = { username: service.username, "api-key": service.productionKey }
  const form = { "content-type": "application/x-www-form-urlencoded", ...authorization }
  return v === "v1"
    ? call(service.url, "POST", address, new URLSearchParams(credentials).toString(), form)
    : call(service.url, "POST", address, credentials, authorization)
}

/** How the things look to their owner. */
async function picturesOf(all: readonly Things[]): Promise<readonly string[]> {
  const paths = all.flatMap((t) => [
    `signature-requests/${t.requestId}`,
    `signature-requests/${t.requestId}/observers`,
    `documents/${t.documentId}`,
    `documents/${t.looseId}`,
    `groups/${t.groupId}`,
    `webhooks/${t.webhookId}`,
  ])
  return Promise.all(paths.map(async (path) => (await api.get(`/v3/${path}`)).bytes.toString()))
}
