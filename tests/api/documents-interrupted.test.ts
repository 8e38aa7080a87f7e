import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS } from "../service/api.ts"
import { FORM, filePart, form, titlePart } from "../service/forms.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { documentCount, looseNames } from "../service/stored.ts"
import { until } from "../service/until.ts"

const SENT_BYTES = 3_000_000
const large = pdfOfSize(4_000_000)

/** How far each body comes before its sender goes away: into the document, but not to its end. */
const BODIES = {
  json: {
    type: "application/json",
    query: "",
    body: Buffer.from(`{"title":"Large","content":"${large.toString("base64")}"}`),
  },
  form: { type: FORM, query: "", body: form([titlePart("Large"), filePart(large)]) },
  raw: { type: "application/pdf", query: "?title=Large", body: large },
}

describe("a sender who goes away in the middle", () => {
  let service: Service
  let spool: string
  beforeAll(async () => {
    spool = await mkdtemp(join(tmpdir(), "paraph-spool-"))
    // Nothing that was looked into stays there, so that whatever lies there is on its way.
    service = await startService({ worker: false, env: { SPOOL_FOLDER: spool, SPOOL_KEPT_MB: "0" } })
  })
  afterAll(async () => {
    await service?.close()
    await rm(spool, { recursive: true, force: true })
  })

  const onTheWay = async () => {
    const entries = await readdir(spool, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && !/\/code(\/|$)/.test(entry.parentPath))
    const sizes = files.map(({ parentPath, name }) => stat(join(parentPath, name)).then(({ size }) => size))
    // One may be gone by the time it is looked at.
    return (await Promise.allSettled(sizes)).flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
  }
  const begin = (path: string, type: string, body: Buffer, withLength: boolean, bytes = SENT_BYTES) => {
    const sent = request(`${service.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.caller.token}`,
        "content-type": type,
        ...(withLength && { "content-length": body.length }),
      },
    })
    sent.on("error", () => undefined)
    sent.write(body.subarray(0, bytes))
    return sent
  }

  it.each(VERSIONS)("%s: leaves nothing: no file on the way, no row, no object", async (v) => {
    for (const [name, { type, query, body }] of Object.entries(BODIES))
      for (const withLength of [true, false]) {
        const sent = begin(`/${v}/documents${query}`, type, body, withLength)
        await until(`${name} arrives`, async () => (await onTheWay()).some((size) => size > 1_000_000))
        sent.destroy()
        await until(`${name} is thrown away`, async () => (await onTheWay()).length === 0)
      }
    expect(await documentCount(service)).toBe(0)
    expect(await looseNames(service)).toEqual([])
  })

  it("leaves nothing either when the document was whole and the rest was not", async () => {
    const whole = form([filePart(large), titlePart("Large")], { end: false })
    const refused = form([filePart(large), { name: "content_type", value: "x".repeat(20_000) }])
    for (const body of [whole, refused]) {
      const sent = begin("/v2/documents", FORM, body, false, body.length)
      await until("it arrives", async () => (await onTheWay()).some((size) => size > large.length))
      sent.destroy()
      await until("it is thrown away", async () => (await onTheWay()).length === 0)
    }
    expect(await documentCount(service)).toBe(0)
  })

  it("is no reason for anybody else to wait, nor for a line that calls it our fault", async () => {
    const senders = Array.from({ length: 30 }, () =>
      begin("/v2/documents?title=Large", "application/pdf", large, true),
    )
    await until("all of them arrive", async () => (await onTheWay()).length === senders.length)
    const { status } = await service.caller.post("/v2/documents", {
      title: "Small",
      content: contractPdf().toString("base64"),
    })
    expect(status).toBe(200)
    for (const sender of senders) sender.destroy()
    await until("all of them are thrown away", async () => (await onTheWay()).length === 0)
    expect(await documentCount(service)).toBe(1)
    expect(service.api.log()).not.toContain('"msg":"fault"')
  })
})
