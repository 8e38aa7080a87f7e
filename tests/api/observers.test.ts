import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

describe("observers", () => {
  const tag = Date.now()
  const [anna, gina, foreign] = ["anna", "gina", "foreign"].map((name) => `${name}-${tag}@acme.example`) as [
    string,
    string,
    string,
  ]
  let service: Service
  let annas: Api
  let ginas: Api
  let groupId: string
  beforeAll(async () => {
    service = await startService()
    ;[annas, ginas] = await Promise.all([addUser(service, anna), addUser(service, gina)])
    groupId = (await newGroup([gina])).id
  })
  afterAll(() => service?.close())

  const newGroup = async (emails: readonly string[]) =>
    (
      await service.caller.post("/v3/groups", {
        name: "Auditors",
        members: emails.map((email) => ({ email })),
      })
    ).body
  const newDraft = async () => {
    const content = contractPdf().toString("base64")
    const document = await service.caller.post("/v3/documents", { title: "Lease", content })
    const request = { title: "Lease", document_id: document.body.id }
    const { body } = await service.caller.post("/v3/signature-requests", request)
    return { id: body.id as string, documentId: document.body.id as string }
  }
  const place = (id: string) => `/v3/signature-requests/${id}/observers`
  const add = (id: string, body: object) => service.caller.post(place(id), body)
  const feature = (state: "--on" | "--off") =>
    service.paraph(
      ...["admin", "set-feature", "--business", service.business, "--feature", "group_observers", state],
    )
  const listed = async (api: Api) =>
    (await api.get("/v3/signature-requests")).body.map((one: { id: string }) => one.id)

  it("[SR-27 v3] a person reads the request, its documents and the list, outside the signing flow; and changes nothing", async () => {
    const { id, documentId } = await newDraft()
    const reads = async (api: Api) => [
      (await api.get(`/v3/signature-requests/${id}`)).status,
      (await api.get(place(id))).status,
      (await api.get(`/v3/documents/${documentId}`)).status,
      (await api.get(`/v3/documents/${documentId}/content`)).status,
      (await listed(api)).includes(id),
    ]
    expect(await reads(annas)).toEqual([404, 404, 404, 404, false])
    const added = await add(id, { type: "USER", email: anna })
    expect(added.status).toBe(200)
    expect(added.body).toEqual({
      id: expect.any(String),
      type: "USER",
      invited_at: expect.any(String),
      invited_by: service.username,
      user_info: { email: anna },
    })
    expect(await reads(annas)).toEqual([200, 200, 200, 200, true])
    expect(await reads(ginas)).toEqual([404, 404, 404, 404, false])
    // Nobody to sign: observers are no signers.
    expect((await annas.get(`/v3/signature-requests/${id}`)).body.signatures).toEqual([])
    const changes = [
      annas.delete(`/v3/signature-requests/${id}`),
      annas.post(`/v3/signature-requests/${id}/initiate`, undefined),
      annas.post(place(id), { type: "USER", email: gina }),
      annas.delete(`${place(id)}/${added.body.id}`),
      annas.delete(`/v3/documents/${documentId}`),
      annas.put(`/v3/documents/${documentId}/access`, { read_access: [gina] }),
    ]
    for (const { status } of await Promise.all(changes)) expect([403, 404]).toContain(status)

    // Adding twice is one observer, however the address is written.
    for (const email of [anna, anna.toUpperCase()])
      expect((await add(id, { type: "USER", email })).body).toEqual(added.body)
    expect((await annas.get(place(id))).body).toEqual([added.body])
    expect((await annas.get(`${place(id)}/${added.body.id}`)).body).toEqual(added.body)
    // Of a draft nobody is told; and then of one observer once.
    expect(await mailsTo(anna)).toEqual([])
    expect((await service.caller.post(`/v3/signature-requests/${id}/initiate`, undefined)).status).toBe(200)
    await until("the observer is written to", async () => (await mailsTo(anna)).length > 0)
    expect(await mailsTo(anna)).toHaveLength(1)

    expect((await service.caller.delete(`${place(id)}/${added.body.id}`)).status).toBe(204)
    expect((await service.caller.delete(`${place(id)}/${added.body.id}`)).status).toBe(404)
    expect(await reads(annas)).toEqual([404, 404, 404, 404, false])
  })

  it("[SR-27 v3] [REG-02] a group needs the feature; its members of today read, and those who left do not", async () => {
    const { id, documentId } = await newDraft()
    const off = await add(id, { type: "GROUP", group_id: groupId })
    expect([off.status, off.body.type]).toEqual([403, `${service.url}/problem/feature-not-enabled`])
    await feature("--on")
    const added = await add(id, { type: "GROUP", group_id: groupId })
    expect(added.body).toMatchObject({ type: "GROUP", group_info: { group_id: groupId, name: "Auditors" } })
    expect((await add(id, { type: "GROUP", group_id: groupId })).body).toEqual(added.body)
    const reads = async (api: Api) => [
      (await api.get(`/v3/signature-requests/${id}`)).status,
      (await api.get(`/v3/documents/${documentId}/content`)).status,
      (await listed(api)).includes(id),
    ]
    expect(await reads(ginas)).toEqual([200, 200, true])
    expect(await reads(annas)).toEqual([404, 404, false])

    const members = [{ email: anna }]
    // Nobody lets themselves in: a group that observes is changed by those who may change what it observes.
    expect((await annas.put(`/v3/groups/${groupId}`, { name: "Auditors", members })).status).toBe(403)
    expect(await reads(annas)).toEqual([404, 404, false])
    await service.caller.put(`/v3/groups/${groupId}`, { name: "Auditors", members })
    expect(await reads(ginas)).toEqual([404, 404, false])
    expect(await reads(annas)).toEqual([200, 200, true])
    // Who reads it by another way too keeps that when the group lets go.
    await add(id, { type: "USER", email: anna })
    await service.caller.put(`/v3/groups/${groupId}`, { name: "Auditors", members: [{ email: gina }] })
    expect(await reads(annas)).toEqual([200, 200, true])

    const needed = await service.caller.delete(`/v3/groups/${groupId}`)
    expect([needed.status, needed.body.key]).toEqual([400, "error.sr.invalid_state"])
    await feature("--off")
  })

  it("[SR-27 v3] bad input is 400 on every operation, and what is not there 404", async () => {
    const { id } = await newDraft()
    const bad: readonly object[] = [
      {},
      { type: "USER" },
      { type: "OTHER", email: anna },
      { type: "USER", email: "nobody" },
      { type: "USER", email: anna, user_id: randomUUID() },
      { type: "USER", user_id: randomUUID() },
      { type: "GROUP", email: anna },
      { type: "USER", email: anna, more: 1 },
    ]
    for (const body of bad) expect([body, (await add(id, body)).status]).toEqual([body, 400])
    for (const path of [place("x"), `${place(id)}/x`, `${place("x")}/${randomUUID()}`])
      expect((await service.caller.get(path)).status).toBe(400)
    for (const path of [place(randomUUID()), `${place(id)}/${randomUUID()}`])
      expect((await service.caller.get(path)).status).toBe(404)
  })

  it("[SR-27 v3] a member of the business is named by the account, and another business sees nothing", async () => {
    const { id, documentId } = await newDraft()
    const member = `member-${tag}@acme.example`
    await service.paraph(
      ...["admin", "add-member", "--business", service.business, "--email", member, "--name", "M. Ember"],
      ...["--role", "member"],
    )
    const userId = await service.sql(`select id from account where email = '${member}'`)
    expect((await add(id, { type: "USER", user_id: userId })).body.user_info).toEqual({ email: member })

    const elsewhere = await addUser(service, foreign, { business: await addBusiness(service, "Other AG") })
    await add(id, { type: "USER", email: foreign })
    expect((await elsewhere.get(`/v3/signature-requests/${id}`)).status).toBe(404)
    expect((await elsewhere.get(`/v3/documents/${documentId}`)).status).toBe(404)
    expect((await service.caller.delete(`/v3/signature-requests/${id}`)).status).toBe(204)
  })

  it("[SR-35] exist in v3 only", async () => {
    const { id } = await newDraft()
    for (const v of ["v1", "v2"]) {
      expect((await service.caller.get(`/${v}/signature-requests/${id}/observers`)).status).toBe(404)
      expect((await service.caller.get(`/${v}/groups`)).status).toBe(404)
    }
  })
})
