// An integrator who holds every answer, link and address of the interface cannot complete an advanced or a qualified signature: all operations of
// all versions, all addresses in their answers, and every route of our pages by the session that those addresses open.
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Answer, type Api, call, createApi, VERSIONS } from "../service/api.ts"
import { noteIntents } from "../service/noted-intents.ts"
import { addressOf, MATRIX, operationsOf } from "../service/operations.ts"
import { type Qualified, startQualified } from "../service/qualified.ts"
import { passkeyHolder } from "../service/release.ts"
import { newAddress, uploadTo } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { newThings, type Things } from "../service/things.ts"
import { enter, signAs } from "../service/visitor.ts"

let world: Qualified
let service: Service
let integrator: Api
const signer = newAddress("signer")
const people = {
  writer: newAddress("writer"),
  reader: newAddress("reader"),
  observer: newAddress("observer"),
  signer,
}
beforeAll(async () => {
  const env = { PRODUCTION_QUALITIES: "SES,AES,AES_MINIMAL,QES" }
  world = await startQualified({ kind: "production", env })
  service = world.service
  await noteIntents(service)
  await service.paraph("admin", "set-default-quality", "--business", service.business, "--quality", "AES")
  integrator = await createApi(service.url, service.username, service.productionKey)
  // There is something to release a key with, in other hands than the integrator's.
  await passkeyHolder(service, signer)
}, 300_000)
afterAll(() => world?.close())

/** Nothing was prepared, released or signed, whatever was called. */
const made = async () =>
  (
    await service.sql(
      `select (select count(*) from noted_intent) + (select count(*) from signing_release)
            + (select count(*) from remote_signing)
            + (select count(*) from signature where state = 'signed' or consent is not null)`,
    )
  ).trim()

const isOpen = async ({ requestId }: Things): Promise<boolean> =>
  (await integrator.get(`/v3/signature-requests/${requestId}`)).body?.status_overall === "OPEN"

it("[R07] [SR-07] by any operation of any version, nor by any address in an answer", async () => {
  const answers: Answer[] = []
  let things = await newThings(integrator, service.username, people, "open")
  for (const v of VERSIONS)
    for (const operation of operationsOf(v)) {
      if (!(await isOpen(things))) things = await newThings(integrator, service.username, people, "open")
      const row = MATRIX[operation.id]
      const query = row?.query === undefined ? "" : `?${row.query(things)}`
      const path = addressOf(operation, v, whole(things)) + query
      const headers = {
        authorization: `Bearer ${integrator.token}`,
        ...(row?.type && { "content-type": row.type }),
      }
      answers.push(await call(service.url, operation.method, path, row?.body?.(things, v), headers))
    }
  expect(answers.length).toBeGreaterThan(100)
  expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(50)
  expect(await made()).toBe("0")
  const links = new Set(answers.flatMap(({ bytes }) => bytes.toString().match(OURS) ?? []))
  expect(links.size).toBeGreaterThan(0)
  for (const link of links)
    for (const method of ["GET", "POST"])
      await call(service.url, method, link.slice(service.url.length), undefined, { origin: service.url })
  expect(await made()).toBe("0")
}, 300_000)

/** What only another request would have. */
const whole = (things: Things): Things => ({
  ...things,
  callbackId: things.callbackId || things.requestId,
  evidenceId: things.evidenceId || things.requestId,
})

const OURS = /http:\/\/localhost:\d+\/[^"\\\s]+/g

/** Every route of the pages, as the sources name them: a new one is walked without anybody thinking of it. */
function routes(): readonly { readonly method: string; readonly path: string }[] {
  const folder = resolve(import.meta.dirname, "../../apps/server/src/http/app")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const sources = files.filter((name) => /(?<!\.test)\.ts$/.test(name))
  return sources.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8")
    const found = text.matchAll(/\.(get|post|put|delete)(?:<(?:[^()]|\([^)]*\))*?>)?\(\s*"(\/[^"]+)"/g)
    const named = [...found].map(([, method = "", path = ""]) => ({ method: method.toUpperCase(), path }))
    // A stream of views, which ends when the page is closed.
    return named.filter(({ path }) => !path.endsWith("/events"))
  })
}

it.each([
  { quality: "AES" },
  // The integrator has a certificate there, too.
  { quality: "QES", legislation: "EIDAS" },
])(
  "[URL-07] by the address of a preview, which is all that the interface gives away, on any route of the pages: %o",
  async (terms) => {
    const { body: request } = await integrator.post("/v2/signature-requests", {
      title: "Contract",
      ...terms,
      document_id: await uploadTo(integrator, "v2"),
      signatures: [
        {
          signer_identity_data: {
            email_address: newAddress("preview"),
            first_name: "Ada",
            last_name: "Lovelace",
            identity_reference: "x-1",
          },
        },
      ],
    })
    const [{ signing_url: url, sid }] = request.signatures
    const visitor = await enter(service, url)
    const view = await visitor.view()
    expect([view.screen, view.factor, view.atProvider, view.release]).toEqual(["preview", null, null, null])
    expect((await signAs(visitor)).status).toBe(403)
    const bodies = [
      {},
      { code: "123456", binding: "0".repeat(64) },
      { name: "Ada", consentVersion: view.consent.version, shown: view.documents.map(({ id }: Thing) => id) },
      {
        ...{ name: "Ada", consentVersion: "qes-2026-11", provider: "eidas" },
        shown: view.documents.map(({ id }: Thing) => id),
      },
      { response: { id: "x" } },
    ]
    const walked = routes()
    expect(walked.length).toBeGreaterThan(50)
    for (const { method, path } of walked) {
      // Who logs in or out does so as themselves, with nothing that the interface gives.
      const at = path.replace(":provider", "eidas").replace(/:\w+/g, sid).replace("*", "x")
      for (const body of method === "GET" || method === "DELETE" ? [undefined] : bodies)
        await call(service.url, method, at, body, {
          cookie: visitor.cookie,
          origin: service.url,
          "paraph-signature": sid,
        })
    }
    expect(await made()).toBe("0")
    expect(world.providers.flatMap((one) => one.signatures())).toEqual([])
    expect(
      (await integrator.get(`/v2/signature-requests/${request.id}`)).body.signatures[0].status_code,
    ).toBe("OPEN")
  },
  300_000,
)

type Thing = { readonly id: string }
