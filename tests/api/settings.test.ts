import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api } from "../service/api.ts"
import { type MemberApi, memberApi } from "../service/members.ts"
import { createRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"

let service: Service
let owner: MemberApi
let admin: Api
let developer: Api
let member: Api
beforeAll(async () => {
  service = await startService()
  const all = (["owner", "admin", "developer", "member"] as const).map((role) => memberApi(service, role))
  ;[owner, admin, developer, member] = (await Promise.all(all)) as [typeof owner, Api, Api, Api]
}, 300_000)
afterAll(() => service?.close())

const asNew = {
  name: "Acme AG",
  features: [],
  retention_days: null,
  default_quality: "SES",
  key_lifetime_days: 365,
  exit_origins: [],
  embed_origins: [],
  branding: { accent: null, logo: false, sender_name: null, sender_name_state: "CONFIRMED" },
  member_second_factor: "OPTIONAL",
  sso: false,
}

describe("settings", () => {
  it("are read by every member and by no API key, and changed by owners and admins alone", async () => {
    for (const who of [owner, admin, developer, member])
      expect((await who.get("/v3/settings")).body).toEqual(asNew)
    const refused = await service.caller.get("/v3/settings")
    expect([refused.status, refused.body.key]).toEqual([403, "error.role.needed"])
    for (const who of [service.caller, developer, member]) {
      const { status, body } = await who.patch("/v3/settings", { retention_days: 1 })
      expect([status, body.key]).toEqual([403, "error.role.needed"])
    }
    for (const who of [owner, admin]) expect((await who.patch("/v3/settings", {})).body).toEqual(asNew)
  })

  it("count from then on, and each thing that was changed is one row of the audit log", async () => {
    const changed = await owner.patch("/v3/settings", {
      retention_days: 90,
      default_quality: "AES",
      exit_origins: ["https://app.acme.example/", "https://APP.acme.example", "http://localhost:3000"],
      embed_origins: ["https://intranet.acme.example"],
      branding: { accent: "#1F4E79", sender_name: "  Acme   Contracts " },
    })
    const expected = {
      ...asNew,
      retention_days: 90,
      default_quality: "AES",
      exit_origins: ["https://app.acme.example", "http://localhost:3000"],
      embed_origins: ["https://intranet.acme.example"],
      branding: {
        accent: "#1f4e79",
        logo: false,
        sender_name: "Acme Contracts",
        sender_name_state: "PENDING",
      },
    }
    expect([changed.status, changed.body]).toEqual([200, expected])
    expect((await member.get("/v3/settings")).body).toEqual(expected)
    const { body } = await createRequest(service.caller, "v3", await uploadTo(service.caller, "v3"))
    expect([body.quality, body.auto_delete_at]).toEqual(["AES", expect.stringMatching(/^\d{4}-/)])
    // The second time nothing is another.
    await owner.patch("/v3/settings", { retention_days: 90, branding: { accent: "#1f4e79" } })
    const rows = await service.sql(
      `select act, actor, before, after from audit_log where business_id = '${service.business}' and act like 'set-%' order by id`,
    )
    expect(rows.split("\n")).toEqual([
      `set-retention|${owner.email}|{"days": null}|{"days": 90}`,
      `set-default-quality|${owner.email}|{"quality": "SES"}|{"quality": "AES"}`,
      `set-exit-origins|${owner.email}|{"origins": []}|{"origins": ["https://app.acme.example", "http://localhost:3000"]}`,
      `set-embed-origins|${owner.email}|{"origins": []}|{"origins": ["https://intranet.acme.example"]}`,
      `set-branding|${owner.email}|{"accent": null, "sender_name": null}|{"accent": "#1f4e79", "sender_name": "Acme Contracts"}`,
    ])
    const back = { retention_days: null, default_quality: "SES", exit_origins: [], embed_origins: [] }
    const branding = { accent: null, sender_name: null }
    expect((await admin.patch("/v3/settings", { ...back, branding })).body).toEqual(asNew)
  })

  it.each([
    [{ retention_days: 0 }],
    [{ retention_days: 36_501 }],
    [{ retention_days: 1.5 }],
    [{ default_quality: "BEST" }],
    [{ exit_origins: ["https://app.acme.example/path"] }],
    [{ exit_origins: ["http://app.acme.example"] }],
    [{ embed_origins: ["*"] }],
    [{ embed_origins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example`) }],
    [{ branding: { accent: "red" } }],
    [{ branding: { accent: "#ffcc00" } }],
    [{ branding: { logo: true } }],
    [{ branding: { sender_name: "" } }],
    [{ branding: { sender_name: "Bank <boss@bank.example>" } }],
    [{ branding: { sender_name: "service＠bank．com" } }],
    [{ branding: { sender_name: "www.bank.com" } }],
    [{ branding: { sender_name: "Paraph Security" } }],
    [{ branding: { sender_name: "a\nBcc: everybody" } }],
    [{ features: ["sealing"] }],
    [{ key_lifetime_days: 9999 }],
    [{ name: "Bank" }],
  ])("refuse %j, and stay as they are", async (body) => {
    expect((await owner.patch("/v3/settings", body)).status).toBe(400)
    expect((await owner.get("/v3/settings")).body).toEqual(asNew)
  })

  it("go by the role of the moment: who was an admin a second ago changes nothing", async () => {
    const demoted = await memberApi(service, "admin")
    expect((await demoted.patch("/v3/settings", {})).status).toBe(200)
    await service.sql(
      `update membership m set role = 'member' from account a where a.id = m.account_id and a.email = '${demoted.email}'`,
    )
    // The token was looked at just now, and is good for this second.
    const tried = await Promise.all([
      demoted.patch("/v3/settings", { retention_days: 5 }),
      demoted.post("/v3/members", { email: "friend@example.org", role: "member" }),
      demoted.post("/v3/api-keys", { name: "Mine", kind: "production" }),
      demoted.delete("/v3/settings/logo"),
    ])
    expect(tried.map(({ status, body }) => [status, body.key])).toEqual(
      tried.map(() => [403, "error.role.needed"]),
    )
    expect((await owner.get("/v3/settings")).body).toEqual(asNew)
  })

  it("hold a sender's name of another back until the operator has confirmed it, as it is", async () => {
    const name = async (sender_name: string) =>
      (await owner.patch("/v3/settings", { branding: { sender_name } })).body.branding
    const judge = (act: string, asked: string) =>
      service.paraph("admin", act, "--business", service.business, "--name", asked)
    const sender = async () => (await owner.get("/v3/settings")).body.branding
    expect(await name("Acme AG")).toMatchObject({ sender_name_state: "CONFIRMED" })
    expect(await name("Acme Legal")).toMatchObject({ sender_name_state: "PENDING" })
    await expect(judge("confirm-sender-name", "Acme")).rejects.toThrow("does not wait")
    await judge("confirm-sender-name", "Acme Legal")
    expect(await sender()).toMatchObject({ sender_name: "Acme Legal", sender_name_state: "CONFIRMED" })
    // Saying the same again changes nothing; another one waits anew, and one that was refused is gone.
    expect(await name("Acme Legal")).toMatchObject({ sender_name_state: "CONFIRMED" })
    expect(await name("Alpha Bank")).toMatchObject({ sender_name_state: "PENDING" })
    await judge("refuse-sender-name", "Alpha Bank")
    expect(await sender()).toMatchObject({ sender_name: null, sender_name_state: "CONFIRMED" })
    const acts = (await owner.get("/v3/audit-log?page_size=2")).body
    expect(acts).toMatchObject([
      { act: "refuse-sender-name", actor: "operator", before: { sender_name: "Alpha Bank" } },
      { act: "set-branding", actor: owner.email },
    ])
  })

  it("say why a colour is none that people could read", async () => {
    const { body } = await owner.patch("/v3/settings", { branding: { accent: "#ffcc00" } })
    expect(body.detail).toMatch(/too light: its contrast with white is 1\.\d\d:1/)
  })
})
