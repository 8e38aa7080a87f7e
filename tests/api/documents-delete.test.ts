import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { type Service, startService } from "../service/service.ts"
import { sendForSignature, signBy } from "../service/signed.ts"
import { isInBucket, looseNames, objectName } from "../service/stored.ts"
import { until } from "../service/until.ts"

const content = contractPdf().toString("base64")

describe("deleting a document", () => {
  let service: Service
  let worker: ServerProcess
  beforeAll(async () => {
    service = await startService()
    worker = service.worker
  })
  afterAll(() => service?.close())

  const upload = async (v: Version) =>
    (await service.caller.post(`/${v}/documents`, { title: "Contract", content })).body.id as string
  const remove = (v: Version, id: string) => service.caller.delete(`/${v}/documents/${id}`)

  it.each(VERSIONS)(
    "[DOC-08] %s: it is gone from everywhere at once, and its bytes soon after",
    async (v) => {
      const id = await upload(v)
      const name = await objectName(service, id)
      expect(isInBucket(service, name)).toBe(true)
      const { status, bytes } = await remove(v, id)
      expect([status, bytes.length]).toEqual([204, 0])
      const path = `/${v}/documents/${id}`
      const after = [
        await service.caller.get(path),
        await service.caller.get(`${path}/content`),
        await service.caller.get(`${path}/pages/0`),
        await service.caller.put(`${path}/access`, { read_access: [] }),
        await service.caller.post(`${path}/watermark`, { text: "DRAFT" }),
        await remove(v, id),
      ]
      expect(after.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404])
      const { body } = await service.caller.get(`/${v}/documents`)
      expect(body.map((one: { id: string }) => one.id)).not.toContain(id)
      // With the row goes the only key to the bytes; the object itself is swept.
      expect(await service.sql(`select count(*) from document where id = '${id}'`)).toBe("0")
      await until("the object is swept", () => !isInBucket(service, name))
      await until("its name is forgotten", async () => !(await looseNames(service)).includes(name))
    },
  )

  it.each(VERSIONS)("[DOC-08] %s: 403 with Retry-After while it goes with its request", async (v) => {
    // As the deletion of a request marks them; and no worker runs meanwhile, for the sweep ends this state.
    const id = await upload(v)
    const name = await objectName(service, id)
    await worker.kill()
    await service.sql(`update document set removing_since = now() where id = '${id}'`)
    const { status, headers } = await remove(v, id)
    expect(status).toBe(403)
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await service.caller.get(`/${v}/documents/${id}`)).status).toBe(200)
    worker = await service.startWorker()
    await until("the cascade is over", async () => (await remove(v, id)).status === 404)
    await until("the object is swept", () => !isInBucket(service, name))
  })

  it.each(VERSIONS)(
    "[DOC-08] %s: 400 for the last document of a request, before and after it was signed",
    async (v) => {
      const id = await upload(v)
      const request = await sendForSignature(service, id)
      const refused = async (documentId: string) => {
        const { status, body } = await remove(v, documentId)
        expect([status, body.key]).toEqual([400, "error.sr.last_document_cannot_be_removed"])
        expect((await service.caller.get(`/${v}/documents/${documentId}/content`)).status).toBe(200)
      }
      await refused(id)
      const { document_id: signedId } = await signBy(service, request.id, request.signer)
      await refused(id)
      await refused(signedId)
    },
  )

  it("what was made of it stays, and has all of its bytes", async () => {
    const id = await upload("v2")
    const { body } = await service.caller.post(`/v2/documents/${id}/watermark`, { text: "DRAFT" })
    expect((await remove("v2", id)).status).toBe(204)
    const child = await service.caller.get(`/v2/documents/${body.id}`)
    expect(child.body).toEqual(body)
    expect((await service.caller.get(`/v2/documents/${body.id}/content`)).bytes).toHaveLength(body.size)
  })

  it("two who delete it at once: one has done it, the other finds nothing", async () => {
    const id = await upload("v2")
    const statuses = await Promise.all([remove("v2", id), remove("v2", id), remove("v2", id)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })
})
