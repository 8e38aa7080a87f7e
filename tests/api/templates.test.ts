import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api, Json } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

const PLACE = { page: "0", x: 72, y: 72, width: 200, height: 60 }

let service: Service
let admin: Api & { email: string }
let member: Api & { email: string }
let colleague: Api & { email: string }
let other: Api
beforeAll(async () => {
  service = await startService()
  const business = await addBusiness(service, "Other AG")
  ;[admin, member, colleague, other] = await Promise.all([
    memberApi(service, "admin"),
    memberApi(service, "member"),
    memberApi(service, "member"),
    addUser(service, "other-integration", { business }),
  ])
}, 300_000)
afterAll(() => service?.close())

async function lease(more: object = {}): Promise<{ body: Json; documentIds: string[] }> {
  const documentIds = [await uploadTo(member, "v3", "Lease"), await uploadTo(member, "v3", "House rules")]
  const request = {
    title: "Lease of the flat",
    message: "Please read and sign.",
    signatures: [
      { label: "Landlord", account_email: "landlord@acme.example", sequence: 1 },
      { label: "Tenant", sequence: 2, language: "de", places: [{ document: 1, ...PLACE }] },
    ],
    attach_on_success: ["SIGNED_DOCUMENT"],
    ...more,
  }
  return { body: { name: "Lease", request, document_ids: documentIds }, documentIds }
}

describe("templates", () => {
  it("are made by members, read by everybody in the business, and changed by who made them, owners and admins", async () => {
    const { body, documentIds } = await lease()
    const made = await member.post("/v3/templates", body)
    expect([made.status, made.body]).toEqual([
      200,
      {
        id: expect.any(String),
        name: "Lease",
        created_by: member.email,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        document_ids: documentIds,
        request: {
          title: "Lease of the flat",
          message: "Please read and sign.",
          quality: null,
          legislation: null,
          signatures: [
            {
              label: "Landlord",
              account_email: "landlord@acme.example",
              sequence: 1,
              notify: true,
              language: "en",
              places: [],
            },
            {
              label: "Tenant",
              account_email: null,
              sequence: 2,
              notify: true,
              language: "de",
              places: [{ document: 1, ...PLACE }],
            },
          ],
          cc_email_addresses: [],
          attach_on_success: ["SIGNED_DOCUMENT"],
          expires_in_days: null,
        },
      },
    ])
    const at = `/v3/templates/${made.body.id}`
    for (const who of [member, colleague, admin, service.caller]) {
      expect((await who.get(at)).body).toEqual(made.body)
      expect((await who.get("/v3/templates")).body).toContainEqual(made.body)
      // What it would send is seen by whoever may use it.
      expect((await who.get(`/v3/documents/${documentIds[0]}`)).status).toBe(200)
    }
    expect((await other.get(at)).status).toBe(404)
    expect((await other.get("/v3/templates")).body).toEqual([])
    expect((await other.get(`/v3/documents/${documentIds[0]}`)).status).toBe(404)
    expect((await other.put(at, body)).status).toBe(403)
    for (const who of [colleague, service.caller]) {
      const answers = [await who.put(at, body), await who.delete(at)]
      expect(answers.map(({ status, body: said }) => [status, said.key])).toEqual(
        Array(2).fill([403, "error.role.needed"]),
      )
    }
    expect((await service.caller.post("/v3/templates", body)).body.key).toBe("error.role.needed")
    // An admin who may not read the documents keeps them in it.
    const renamed = await admin.put(at, { ...body, name: "Lease 2" })
    expect([renamed.status, renamed.body.name, renamed.body.document_ids]).toEqual([
      200,
      "Lease 2",
      documentIds,
    ])
    expect((await admin.delete(at)).status).toBe(204)
    for (const answer of [await member.get(at), await member.delete(at)]) expect(answer.status).toBe(404)
    expect((await colleague.get(`/v3/documents/${documentIds[0]}`)).status).toBe(404)
    // Others send by it: who changed it is on record.
    const record = `select act, actor, after->>'name' from audit_log where target = 'template ${made.body.id}' order by id`
    expect((await service.sql(record)).split("\n")).toEqual([
      `create-template|${member.email}|Lease`,
      `change-template|${admin.email}|Lease 2`,
      `remove-template|${admin.email}|`,
    ])
  })

  it("hold so many places, and no more", async () => {
    const places = Array(501).fill({ document: 0, ...PLACE })
    const signatures = Array.from({ length: 11 }, (_, number) => ({
      label: `Tenant ${number}`,
      places: places.slice(0, number === 10 ? 1 : 50),
    }))
    const { body } = await lease({ signatures })
    const refused = await member.post("/v3/templates", body)
    expect([refused.status, refused.body.detail]).toEqual([400, "A template has at most 500 places."])
  })

  it("are of the kind that made them, as all else is", async () => {
    const production = await memberApi(service, "member", { kind: "production" })
    const made = await member.post("/v3/templates", (await lease()).body)
    expect((await production.get(`/v3/templates/${made.body.id}`)).status).toBe(404)
    expect((await production.get("/v3/templates")).body).toEqual([])
  })

  it("are used with a key too: a draft with everybody in it, or sent at once", async () => {
    const { body, documentIds } = await lease()
    const { id } = (await member.post("/v3/templates", body)).body
    const at = `/v3/templates/${id}/signature-requests`
    const tenant = newAddress("tenant")
    const drafted = await service.caller.post(at, {
      signatures: [{ label: "tenant", account_email: tenant }],
    })
    expect(drafted.status).toBe(200)
    expect(drafted.body).toMatchObject({
      title: "Lease of the flat",
      message: "Please read and sign.",
      status_overall: "DRAFT",
      owner: service.username,
      quality: "SES",
      attach_on_success: ["SIGNED_DOCUMENT"],
      documents: [{ name: "Lease" }, { name: "House rules" }],
      signatures: [
        { account_email: "landlord@acme.example", sequence: 1, language: "en" },
        {
          account_email: tenant,
          sequence: 2,
          language: "de",
          document_signatures: [{ visual_signature: null }, { visual_signature: { position: PLACE } }],
        },
      ],
    })
    // Copies: what is signed is of whoever sends it, and of nobody who made the template.
    const [copy] = drafted.body.documents
    const [mine, theirs] = [
      await service.caller.get(`/v3/documents/${copy.id}`),
      await member.get(`/v3/documents/${copy.id}`),
    ]
    expect([mine.status, mine.body.owner, theirs.status]).toEqual([200, service.username, 404])
    const bytesOf = async (api: Api, id: string) => (await api.get(`/v3/documents/${id}/content`)).bytes
    expect((await bytesOf(service.caller, copy.id)).equals(await bytesOf(member, documentIds[0] ?? ""))).toBe(
      true,
    )
    const sent = await colleague.post(at, {
      title: "Lease, 3rd floor",
      signatures: [
        { label: "Landlord", account_email: newAddress("landlord"), notify: false },
        { label: "Tenant", account_email: tenant },
      ],
      initiate: true,
    })
    expect([sent.status, sent.body.status_overall, sent.body.title]).toEqual([
      200,
      "OPEN",
      "Lease, 3rd floor",
    ])
    await until("the tenant is written to", async () => (await mailsTo(tenant)).length > 0)
  })

  it("are used once for one Idempotency-Key", async () => {
    const { id } = (await member.post("/v3/templates", (await lease()).body)).body
    const key = { "idempotency-key": randomUUID() }
    const signatures = [{ label: "Tenant", account_email: "tenant@example.org" }]
    const make = () => service.caller.post(`/v3/templates/${id}/signature-requests`, { signatures }, key)
    const [first, again] = [await make(), await make()]
    expect([first.status, again.body.id]).toEqual([200, first.body.id])
  })

  it("say what is missing or too much when they are used", async () => {
    const { body } = await lease()
    const { id } = (await member.post("/v3/templates", body)).body
    const bare = (await member.post("/v3/templates", { name: "Bare", request: { signatures: [] } })).body
    const tenant = { label: "Tenant", account_email: "tenant@example.org" }
    const asked: [string, object, string][] = [
      [id, {}, 'Nobody is named for "Tenant"'],
      [id, { signatures: [{ label: "Tenant" }] }, 'Nobody is named for "Tenant"'],
      [id, { signatures: [tenant, { ...tenant, label: "Witness" }] }, 'no signer "Witness"'],
      [id, { signatures: [tenant, tenant] }, "stands twice"],
      [id, { signatures: [tenant], document_ids: [body.document_ids[0]] }, "a document that is not there"],
      [bare.id, {}, "has no documents"],
    ]
    for (const [template, sent, said] of asked) {
      const answer = await member.post(`/v3/templates/${template}/signature-requests`, sent)
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(said)])
    }
    const mine = await uploadTo(service.caller, "v3")
    const own = { document_ids: [mine] }
    const used = await service.caller.post(`/v3/templates/${bare.id}/signature-requests`, own)
    expect([used.status, used.body.title, used.body.document_id]).toEqual([200, "Bare", mine])
    // Those of others are not to be had by way of a template.
    const stolen = await member.post(`/v3/templates/${bare.id}/signature-requests`, own)
    expect(stolen.status).toBe(404)
  })

  it("an expiry counts from the day of use, where the business has it", async () => {
    const { body } = await lease({ expires_in_days: 30 })
    const { id } = (await member.post("/v3/templates", body)).body
    const signatures = [{ label: "Tenant", account_email: "tenant@example.org" }]
    const use = () => member.post(`/v3/templates/${id}/signature-requests`, { signatures })
    expect((await use()).status).toBe(403)
    const feature = ["--business", service.business, "--feature", "expires_at", "--on"]
    await service.paraph("admin", "set-feature", ...feature)
    const day = (ms: number) =>
      new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Zurich" }).format(Date.now() + ms)
    expect((await use()).body.expires_at).toBe(day(30 * 86_400_000))
  })

  it("keep their documents, whatever becomes of the requests", async () => {
    const { body, documentIds } = await lease()
    const { id } = (await member.post("/v3/templates", body)).body
    const [first = ""] = documentIds
    expect((await member.delete(`/v3/documents/${first}`)).status).toBe(400)
    const signatures = [{ label: "Tenant", account_email: "tenant@example.org" }]
    const use = () => member.post(`/v3/templates/${id}/signature-requests`, { signatures })
    const request = (await use()).body
    expect((await member.delete(`/v3/signature-requests/${request.id}`)).status).toBe(204)
    const [copy] = request.documents
    await until("the copy goes with its request", async () => {
      return (await member.get(`/v3/documents/${copy.id}`)).status === 404
    })
    expect((await member.get(`/v3/documents/${first}/content`)).status).toBe(200)
    // Also where one of them is in a request by itself.
    const direct = await member.post("/v3/signature-requests", { title: "Lease", document_id: first })
    expect((await member.delete(`/v3/signature-requests/${direct.body.id}`)).status).toBe(204)
    expect(await service.sql(`select removing_since from document where id = '${first}'`)).toBe("")
    expect((await use()).status).toBe(200)
    // Once the template is gone, they are documents as any other, of who brought them.
    const loose = await lease()
    const brief = (await member.post("/v3/templates", loose.body)).body
    expect((await member.delete(`/v3/templates/${brief.id}`)).status).toBe(204)
    expect((await member.delete(`/v3/documents/${loose.documentIds[0]}`)).status).toBe(204)
  })

  it("refuse what could not be used, and documents that are not one's own to share", async () => {
    const { body } = await lease()
    const [one = ""] = body.document_ids
    const of = (more: object) => ({ ...body, request: { ...body.request, ...more } })
    const signer = (more: object) => of({ signatures: [{ label: "Tenant", ...more }] })
    const bodies: object[] = [
      {},
      { name: "Lease" },
      { ...body, name: "" },
      { ...body, document_ids: [one, one] },
      { ...body, more: 1 },
      of({ signatures: [{ label: "Tenant" }, { label: "TENANT" }] }),
      signer({ label: "" }),
      signer({ account_email: "nobody" }),
      signer({ places: [{ document: 2, ...PLACE }] }),
      signer({ places: [{ document: 0, ...PLACE, page: "99" }] }),
      signer({ places: [{ document: 0, ...PLACE, x: 5000 }] }),
      of({ expires_in_days: 0 }),
      of({ quality: "BEST" }),
    ]
    for (const each of bodies)
      expect([each, (await member.post("/v3/templates", each)).status]).toEqual([each, 400])
    const others = await uploadTo(service.caller, "v3")
    expect((await member.post("/v3/templates", { ...body, document_ids: [others] })).status).toBe(404)
    const read_access = [member.email]
    await service.caller.put(`/v3/documents/${others}/access`, { read_access, write_access: [] })
    const shared = { name: "Shared", request: { signatures: [] }, document_ids: [others] }
    expect((await member.post("/v3/templates", shared)).status).toBe(403)
  })

  it("are 200 at most in a business", async () => {
    await service.sql(
      `insert into template (id, business_id, kind, owner_id, name, request, created_at, updated_at)
       select gen_random_uuid(), business_id, 'production', id, 'Filler', '{"signers": []}', now(), now()
         from api_user, generate_series(1, 200) where username = '${member.email}'`,
    )
    const full = await member.post("/v3/templates", { name: "One more", request: { signatures: [] } })
    expect([full.status, full.body.detail]).toEqual([400, "A business has at most 200 templates."])
    await service.sql("delete from template where name = 'Filler'")
  })
})
