import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, createApi, VERSIONS, type Version } from "../service/api.ts"
import { drawnPage } from "../service/pages.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount } from "../service/stored.ts"
import { addBusiness, addUser } from "../service/users.ts"

const content = contractPdf().toString("base64")

/** Everything that can be done with one document, in an order in which each of them finds it. */
const OPERATIONS: Readonly<Record<string, (api: Api, v: Version, id: string) => Promise<Answer>>> = {
  read: (api, v, id) => api.get(`/${v}/documents/${id}`),
  content: (api, v, id) => api.get(`/${v}/documents/${id}/content`),
  range: (api, v, id) => api.get(`/${v}/documents/${id}/content`, { range: "bytes=0-9" }),
  page: (api, v, id) => drawnPage(api, `/${v}/documents/${id}/pages/0?scale=20`),
  access: (api, v, id) => api.put(`/${v}/documents/${id}/access`, { read_access: ["reader", "somebody"] }),
  watermark: (api, v, id) => api.post(`/${v}/documents/${id}/watermark`, { text: "DRAFT" }),
  delete: (api, v, id) => api.delete(`/${v}/documents/${id}`),
}
const ALL = { read: 200, content: 200, range: 206, page: 200, access: 200, watermark: 200, delete: 204 }
const READING = { ...ALL, access: 403, watermark: 403, delete: 403 }
const NOTHING = Object.fromEntries(Object.keys(ALL).map((name) => [name, 404]))

describe("who may do what with a document", () => {
  let service: Service
  let callers: Record<string, Api>
  beforeAll(async () => {
    service = await startService({ worker: false })
    const other = await addBusiness(service, "Other AG")
    callers = {
      owner: service.caller,
      writer: await addUser(service, "writer"),
      reader: await addUser(service, "reader"),
      "a stranger of the same business": await addUser(service, "stranger"),
      "somebody of another business": await addUser(service, "elsewhere", { business: other }),
      "the owner with a production key": await createApi(
        service.url,
        service.username,
        service.productionKey,
      ),
    }
  })
  afterAll(() => service?.close())

  const shared = async (v: Version) => {
    const { body } = await service.caller.post(`/${v}/documents`, { title: "Contract", content })
    // Names of another business and of another kind open nothing, also when they are listed.
    const access = { read_access: ["reader", "elsewhere"], write_access: ["writer", "elsewhere"] }
    const { status } = await service.caller.put(`/${v}/documents/${body.id}/access`, access)
    expect(status).toBe(200)
    return body.id as string
  }

  it.each(VERSIONS)("[DOC-13] %s: each operation, for each who may or may not", async (v) => {
    const expected: Record<string, Record<string, number>> = {
      owner: ALL,
      writer: ALL,
      reader: READING,
      "a stranger of the same business": NOTHING,
      "somebody of another business": NOTHING,
      "the owner with a production key": NOTHING,
    }
    for (const [name, caller] of Object.entries(callers)) {
      const id = await shared(v)
      const statuses: Record<string, number> = {}
      for (const [operation, run] of Object.entries(OPERATIONS))
        statuses[operation] = (await run(caller, v, id)).status
      expect([name, statuses]).toEqual([name, expected[name]])
    }
  })

  it.each(VERSIONS)(
    "[R08] [DOC-13] %s: who may not read is told what is told of an id that does not exist",
    async (v) => {
      const id = await shared(v)
      const words = ({ status, body }: Answer) => {
        const { instance: _, path, ...rest } = body
        return { status, ...rest, path: path.replace(/[0-9a-f-]{36}/, "…") }
      }
      for (const [operation, run] of Object.entries(OPERATIONS)) {
        const missing = words(await run(service.caller, v, crypto.randomUUID()))
        expect([operation, missing.status]).toEqual([operation, 404])
        for (const name of ["a stranger of the same business", "somebody of another business"])
          expect(words(await run(callers[name] as Api, v, id))).toEqual(missing)
      }
    },
  )

  it.each(VERSIONS)(
    "[DOC-13] %s: what is absent stays, what is given replaces, and nobody else can ask",
    async (v) => {
      const id = await shared(v)
      const put = (api: Api, body: object) => api.put(`/${v}/documents/${id}/access`, body)
      const byWriter = await put(callers.writer as Api, { read_access: ["stranger"] })
      expect(byWriter.body).toMatchObject({
        read_access: ["stranger"],
        write_access: ["writer", "elsewhere"],
      })
      expect((await callers.reader?.get(`/${v}/documents/${id}`))?.status).toBe(404)
      const { body } = await put(service.caller, { write_access: [] })
      expect(body).toMatchObject({ read_access: ["stranger"], write_access: [], owner: service.username })
      expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(body.created_at))
      expect((await put(callers.writer as Api, { write_access: ["writer"] })).status).toBe(404)
      for (const wrong of [{}, { read_access: "ada" }, { read_access: [""] }, { read_access: [1] }, []])
        expect([wrong, (await put(service.caller, wrong)).status]).toEqual([wrong, 400])
      expect((await service.caller.get(`/${v}/documents/${id}`)).body).toEqual(body)
    },
  )

  it("a refused operation leaves nothing behind", async () => {
    const id = await shared("v2")
    const before = await documentCount(service)
    for (const name of ["reader", "a stranger of the same business"])
      for (const run of Object.values(OPERATIONS)) await run(callers[name] as Api, "v2", id)
    expect(await documentCount(service)).toBe(before)
    expect((await service.caller.get(`/v2/documents/${id}`)).status).toBe(200)
  })
})
