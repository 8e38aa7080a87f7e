import { execFileSync } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json, VERSIONS, type Version } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { createRequest, entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

const DAY_MS = 86_400_000
const PLACE = { position: { page: "0", x: 72, y: 72, width: 250, height: 80 } }

let service: Service
let production: Api
let other: { readonly business: string; readonly api: Api }
beforeAll(async () => {
  service = await startService()
  const business = await addBusiness(service, "Other AG")
  other = { business, api: await addUser(service, "other-integration", { business }) }
  production = await createApi(service.url, service.username, service.productionKey)
})
afterAll(() => service?.close())

const admin = (...words: string[]): Promise<Json> => service.paraph("admin", ...words)

/** A request with one signer, who signs at once; answers it as it is then. */
async function signed(api: Api, v: Version): Promise<Json> {
  const who = newAddress("people")
  const documentId = await uploadTo(api, v)
  const signatures = [{ ...entry(v, who), visual_signature: PLACE }]
  const { id } = await openRequest(api, v, documentId, { signatures })
  await (await openSession(service.url, await linkMailedTo(who))).press("Ada Lovelace")
  return until("it is signed", async () => {
    const { body } = await api.get(`/${v}/signature-requests/${id}`)
    return body.status_overall === "SIGNED" && body
  })
}

describe("demo and production", () => {
  // That a demo signature is never billed comes with billing.
  it.each(VERSIONS)(
    "[AUTH-11] in %s a demo signature says of itself that it has no legal weight, a production signature does not",
    async (v) => {
      const [test, real] = await Promise.all([signed(service.caller, v), signed(production, v)])
      expect([test.quality, test.signatures[0].signed_quality]).toEqual(["SES", "DEMO"])
      expect([real.quality, real.signatures[0].signed_quality]).toEqual(["SES", "SES"])
      const textOf = async (api: Api, request: Json) => {
        const { bytes } = await api.get(`/${v}/documents/${request.document_id}/content`)
        return execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes }).toString()
      }
      expect(await textOf(service.caller, test)).toMatch(/TEST . no legal effect/)
      const text = await textOf(production, real)
      expect(text).toContain("Ada Lovelace")
      expect(text).not.toContain("no legal effect")
    },
  )
})

describe("what is agreed with a business", () => {
  it("[REG-02] a feature is switched for one business, at once, and for no other", async () => {
    const expires_at = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10)
    const ask = async (api: Api) => {
      const { status, body } = await createRequest(api, "v3", await uploadTo(api, "v3"), { expires_at })
      return [status, body.type?.split("/").at(-1) ?? null]
    }
    const [granted, refused] = [
      [200, null],
      [403, "feature-not-enabled"],
    ]
    const set = (word: string) =>
      admin("set-feature", "--business", service.business, "--feature", "expires_at", word)
    expect(await ask(service.caller)).toEqual(refused)
    await set("--on")
    expect([await ask(service.caller), await ask(other.api)]).toEqual([granted, refused])
    await set("--off")
    expect(await ask(service.caller)).toEqual(refused)
  })

  it("the default quality is that of requests which name none", async () => {
    const make = async () =>
      (await createRequest(service.caller, "v2", await uploadTo(service.caller, "v2"), {})).body.quality
    expect(await make()).toBe("SES")
    await admin("set-default-quality", "--business", service.business, "--quality", "AES")
    expect(await make()).toBe("AES")
    await admin("set-default-quality", "--business", service.business, "--quality", "SES")
  })

  it("retention dates the requests that are made from then on, and those before stay as they are", async () => {
    const make = async () =>
      (await createRequest(service.caller, "v3", await uploadTo(service.caller, "v3"), {})).body
    const before = await make()
    expect(before.auto_delete_at).toBeNull()
    await admin("set-retention", "--business", service.business, "--days", "30")
    const after = await make()
    const days = (Date.parse(after.auto_delete_at) - Date.now()) / DAY_MS
    expect(Math.round(days)).toBeGreaterThanOrEqual(29)
    expect(Math.round(days)).toBeLessThanOrEqual(30)
    const read = await service.caller.get(`/v3/signature-requests/${before.id}`)
    expect(read.body.auto_delete_at).toBeNull()
    await admin("set-retention", "--business", service.business, "--days", "none")
  })

  it("a creator is a member of the same business, and may write", async () => {
    const email = "Cleo@acme.example"
    await admin(
      "add-member",
      "--business",
      service.business,
      "--email",
      email,
      "--name",
      "Cleo",
      "--role",
      "member",
    )
    const make = async (creator: string) =>
      createRequest(service.caller, "v2", await uploadTo(service.caller, "v2"), { creator })
    const made = await make(email)
    expect([made.status, made.body.creator]).toEqual([200, email])
    expect(made.body.write_access).toContain(email)
    expect((await make("stranger@acme.example")).status).toBe(400)
    await admin("remove-member", "--business", service.business, "--email", email)
    expect((await make(email)).status).toBe(400)
  })
})

describe("user qualities", () => {
  const path = (v: Version) => `/${v}/user/signature-qualities`
  const available = ({ body }: Json) =>
    ["ses", "aes", "aes_minimal", "qes"].filter((quality) => body[quality].available)

  it("are what may be asked for with this key: all of them in a demo, in production those that have weight here", async () => {
    for (const v of ["v2", "v3"] as const) {
      const demo = await service.caller.get(path(v))
      expect([demo.status, demo.body.username]).toEqual([200, service.username])
      expect(available(demo)).toEqual(["ses", "aes", "aes_minimal", "qes"])
      const real = await production.get(`${path(v)}?username=${service.username}`)
      expect(available(real)).toEqual(["ses"])
    }
  })

  it("are told of users and members of the caller's business alone", async () => {
    const member = ["--email", "gia@other.example", "--name", "Gia", "--role", "owner"]
    await admin("add-member", "--business", other.business, ...member)
    for (const v of ["v2", "v3"] as const) {
      const status = async (query: string, by = service.caller) =>
        (await by.get(`${path(v)}?${query}`)).status
      for (const name of ["other-integration", "gia@other.example"]) {
        expect([name, await status(`username=${name}`, other.api)]).toEqual([name, 200])
        expect([name, await status(`username=${name}`)]).toEqual([name, 404])
      }
      expect(await status("username=nobody")).toBe(404)
      expect(await status("username=")).toBe(400)
      expect(await status("user=x")).toBe(v === "v3" ? 400 : 200)
    }
  })
})

describe("activities", () => {
  const day = (daysAhead: number) =>
    new Date(Date.now() + daysAhead * DAY_MS).toLocaleDateString("sv", { timeZone: "Europe/Zurich" })
  const today = `start_date=${day(0)}&end_date=${day(1)}`
  const ids = (answer: Json) => answer.activities.map((activity: Json) => activity.signature_request_id)

  it("are the signatures of the requests that the caller may read, by day, in pages", async () => {
    const api = await addUser(service, "acme-second")
    const ask = async (v: Version, query: string, by = api) =>
      (await by.get(`/${v}/activities/signatures?${query}`)).body
    const none = { activities: [], current_page: 1, size: 50, total_items: 0, total_pages: 0 }
    expect(await ask("v2", today)).toEqual(none)
    const requests = [await signed(api, "v2"), await signed(api, "v2"), await signed(api, "v2")]
    const newest = [...requests].reverse()
    for (const v of ["v2", "v3"] as const) {
      const { activities, ...page } = await ask(v, today)
      expect(page).toEqual({ current_page: 1, size: 50, total_items: 3, total_pages: 1 })
      expect(activities).toEqual(
        newest.map(({ id, title, owner, signatures: [signature] }) => ({
          sid: signature.sid,
          signature_request_id: id,
          title,
          owner,
          account_email: signature.account_email,
          quality: "SES",
          signed_quality: "DEMO",
          signed_legislation: null,
          signed_at: signature.signed_at,
        })),
      )
      const asc = await ask(v, `${today}&sort=asc&size=2&page=2`)
      expect([ids(asc), asc.current_page, asc.total_pages]).toEqual([[newest[0].id], 2, 2])
      expect(ids(await ask(v, `start_date=2020-01-01&end_date=${day(-1)}`))).toEqual([])
    }
    const shown = async () => ids(await ask("v3", today, service.caller))
    expect(await shown()).not.toContain(requests[0].id)
    expect((await api.delete(`/v2/signature-requests/${requests[1].id}`)).status).toBe(204)
    expect(ids(await ask("v2", today))).toEqual([requests[2].id, requests[0].id])
  })

  it("need two dates, in their order", async () => {
    for (const v of ["v2", "v3"] as const)
      for (const query of [
        "",
        `start_date=${day(0)}`,
        `start_date=${day(1)}&end_date=${day(0)}`,
        "start_date=2026-02-30&end_date=2026-03-01",
        `${today}&page=0`,
        `${today}&size=501`,
        `${today}&sort=title`,
      ]) {
        const { status } = await service.caller.get(`/${v}/activities/signatures?${query}`)
        expect([v, query, status]).toEqual([v, query, 400])
      }
  })
})
