import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { addUser } from "../service/users.ts"

const content = contractPdf().toString("base64")

describe("email addresses of access lists are compared without regard to case", () => {
  const tag = Date.now()
  const names = {
    reader: `reader-${tag}@acme.example`,
    writer: `Writer-${tag}@Acme.example`,
    observer: `observer-${tag}@acme.example`,
    member: `member-${tag}@acme.example`,
  }
  const listed = (name: string) => name.toUpperCase()
  let service: Service
  let reader: Api
  let writer: Api
  let observer: Api
  let member: Api
  beforeAll(async () => {
    service = await startService({ worker: false })
    const { paraph, business } = service
    await paraph("admin", "set-feature", "--business", business, "--feature", "group_observers", "--on")
    reader = await addUser(service, names.reader)
    writer = await addUser(service, names.writer)
    observer = await addUser(service, names.observer)
    member = await addUser(service, names.member)
  })
  afterAll(() => service?.close())

  const upload = async (v: Version): Promise<string> =>
    (await service.caller.post(`/${v}/documents`, { title: "Contract", content })).body.id
  const idsOf = async (api: Api, path: string): Promise<readonly string[]> =>
    (await api.get(path)).body.map(({ id }: { id: string }) => id)
  const access = { read_access: [listed(names.reader)], write_access: [listed(names.writer)] }

  it.each(VERSIONS)(
    "[DOC-13 %s] readers read a document and find it in the list, writers change it",
    async (v) => {
      const id = await upload(v)
      expect((await service.caller.put(`/${v}/documents/${id}/access`, access)).status).toBe(200)
      expect((await reader.get(`/${v}/documents/${id}`)).status).toBe(200)
      expect(await idsOf(reader, `/${v}/documents`)).toContain(id)
      expect((await reader.put(`/${v}/documents/${id}/access`, access)).status).toBe(403)
      expect((await writer.put(`/${v}/documents/${id}/access`, access)).status).toBe(200)
      expect(await idsOf(writer, `/${v}/documents`)).toContain(id)
      expect((await observer.get(`/${v}/documents/${id}`)).status).toBe(404)
    },
  )

  it.each(VERSIONS)(
    "[SR-06 %s] readers read a request, its documents and the list, writers change it; the lists are answered as sent",
    async (v) => {
      const body = { title: "Lease", document_id: await upload(v), signatures: [], ...access }
      const { status, body: made } = await service.caller.post(`/${v}/signature-requests`, body)
      expect(status).toBe(200)
      expect(made).toMatchObject(access)
      const path = `/${v}/signature-requests`
      expect((await reader.get(`${path}/${made.id}`)).status).toBe(200)
      expect((await reader.get(`/${v}/documents/${body.document_id}`)).status).toBe(200)
      expect(await idsOf(reader, path)).toContain(made.id)
      expect((await reader.delete(`${path}/${made.id}`)).status).toBe(403)
      expect(await idsOf(writer, path)).toContain(made.id)
      expect((await observer.get(`${path}/${made.id}`)).status).toBe(404)
      expect((await writer.delete(`${path}/${made.id}`)).status).toBeLessThan(300)
    },
  )

  it("[SR-27 v3] people who observe by address or by a group read the request until they leave", async () => {
    const body = { title: "Lease", document_id: await upload("v3") }
    const { id } = (await service.caller.post("/v3/signature-requests", body)).body
    const observers = `/v3/signature-requests/${id}/observers`
    const members = [{ email: listed(names.member) }]
    const group = (await service.caller.post("/v3/groups", { name: "Auditors", members })).body
    await service.caller.post(observers, { type: "USER", email: listed(names.observer) })
    expect((await service.caller.post(observers, { type: "GROUP", group_id: group.id })).status).toBe(200)
    for (const api of [observer, member]) {
      expect((await api.get(`/v3/signature-requests/${id}`)).status).toBe(200)
      expect(await idsOf(api, "/v3/signature-requests")).toContain(id)
    }
    const others = { name: "Auditors", members: [{ email: `other-${tag}@acme.example` }] }
    expect((await service.caller.put(`/v3/groups/${group.id}`, others)).status).toBe(200)
    expect((await member.get(`/v3/signature-requests/${id}`)).status).toBe(404)
    expect(await idsOf(member, "/v3/signature-requests")).not.toContain(id)
  })
})
