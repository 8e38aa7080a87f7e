import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Api } from "../service/api.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

describe("one caller and the others", () => {
  let service: Service
  let other: Api
  beforeAll(async () => {
    service = await startService({ worker: false })
    other = await addUser(service, "other", { business: await addBusiness(service, "Other AG") })
  })
  afterAll(() => service?.close())

  const upload = (api: Api, file: Buffer) =>
    api.post("/v2/documents", { title: "Fair", content: file.toString("base64") })

  it("who asks for very many pages at once does not keep others from uploading, or from their own pages", async () => {
    const { body } = await upload(service.caller, contractPdf("A page.", 200))
    const { body: theirs } = await upload(other, contractPdf("Theirs."))
    const pages = Array.from({ length: 200 }, (_, n) =>
      service.caller.get(`/v2/documents/${body.id}/pages/${n}`),
    )
    const uploads = Array.from({ length: 10 }, (_, n) => upload(other, contractPdf(`Another ${n}.`)))
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    const asked = await Promise.all(pages)
    for (const { status, headers } of asked)
      expect([status, headers.get("retry-after")]).toEqual(status === 200 ? [200, null] : [202, "1"])
    expect(asked.some(({ status }) => status === 202)).toBe(true)
    const drawn = (api: Api, path: string) =>
      until(`${path} is drawn`, async () => (await api.get(path)).status === 200)
    await Promise.all([
      drawn(other, `/v2/documents/${theirs.id}/pages/0`),
      drawn(service.caller, `/v2/documents/${body.id}/pages/199`),
    ])
  })

  it("who does not read what they asked for takes sixteen places, and others still read", async () => {
    const large = pdfOfSize(20_000_000)
    const path = `/v2/documents/${(await upload(service.caller, large)).body.id}/content`
    const theirs = `/v2/documents/${(await upload(other, large)).body.id}/content`
    const sockets = await Promise.all(Array.from({ length: 16 }, () => paused(service, path)))
    const refused = await service.caller.get(path)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"])
    const read = await other.get(theirs)
    expect([read.status, read.bytes.equals(large)]).toEqual([200, true])
    for (const socket of sockets) socket.destroy()
    const again = await until("they are gone", async () => {
      const answer = await service.caller.get(path)
      return answer.status !== 429 && answer
    })
    expect([again.status, again.bytes.equals(large)]).toEqual([200, true])
  })
})

/** Asks, sees that the answer begins, and reads no further. */
function paused({ url, caller }: Service, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${caller.token}\r\n\r\n`)
  return new Promise((begun, failed) => {
    socket.once("error", failed).once("data", (bytes) => {
      socket.pause()
      if (bytes.toString("latin1").startsWith("HTTP/1.1 200")) begun(socket)
      else failed(new Error(bytes.toString("latin1", 0, 100)))
    })
  })
}
