import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { digestOf, inJson, send } from "../service/large.ts"
import { pdfOfSize } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const MOST = 112_500_000
const AT_ONCE = 20
const RSS_LIMIT = 600_000_000
const BASE64_LIMIT = 150_000_000
/** What lies in the buffers between the two when the answer comes. */
const SLACK = 20_000_000

describe("documents of the largest size", () => {
  const largest = pdfOfSize(MOST)
  const base64 = Buffer.from(largest.toString("base64"), "latin1")
  const sha256 = createHash("sha256").update(largest).digest("hex")
  let service: Service
  // What a scanner makes of twenty of them at once is measured by `npm run bench:documents`; here it would take minutes.
  beforeAll(async () => {
    service = await startService({ worker: false, env: { SCANNER_URL: "none" } })
  })
  afterAll(() => service?.close())

  const upload = (version: string, body: Parameters<typeof send>[3], query = "") =>
    send(service.url, service.caller.token, `/${version}/documents${query}`, body)
  const content = (version: string, id: string) =>
    digestOf(service.url, service.caller.token, `/${version}/documents/${id}/content`)
  const peakRss = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.api.pid}/status`, "utf8"))?.[1]) * 1024

  it("[R09] 20 at once are taken, byte for byte, and the server holds none of them", async () => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => upload("v2", inJson(base64))))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 200))
    for (const { body } of answers) expect(body.size).toBe(MOST)
    // One after the other: what is read back is not the test here, only whether it is the same.
    for (const { body } of answers) expect((await content("v2", body.id)).sha256).toBe(sha256)
    expect(peakRss()).toBeLessThan(RSS_LIMIT)
  }, 600_000)

  it("[DOC-05 v1] [DOC-05 v2] [DOC-05 v3] 112.5 MB exactly is taken: as JSON, raw, in chunks, as a form", async () => {
    const boundary = "x-paraph-boundary"
    const part = (headers: string) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`)
    const raw = { contentType: "application/pdf", parts: [largest] }
    const form = {
      contentType: `multipart/form-data; boundary=${boundary}`,
      parts: [
        part('name="title"'),
        Buffer.from("Large\r\n"),
        part('name="content"; filename="large.pdf"\r\nContent-Type: application/pdf'),
        largest,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ],
    }
    const uploads = [
      ["v1", upload("v1", inJson(base64))],
      ["v2", upload("v2", raw, "?title=Large")],
      ["v3", upload("v3", inJson(base64))],
      ["v3", upload("v3", { ...raw, withLength: false }, "?title=Large")],
      ["v1", upload("v1", form)],
    ] as const
    for (const [version, answer] of uploads) {
      const { status, body } = await answer
      expect([status, body.size]).toEqual([200, MOST])
      expect((await content(version, body.id)).sha256).toBe(sha256)
    }
  }, 600_000)

  it("[DOC-05 v1] [DOC-05 v2] [DOC-05 v3] one byte more is refused, before the rest of the body is read", async () => {
    const one = Buffer.concat([largest, Buffer.from("\n")])
    const oneMore = Buffer.from(one.toString("base64"), "latin1")
    // Half as long again, so that "before" can be seen: the limit is passed while much is still to come.
    const longer = Buffer.concat([base64, base64.subarray(0, base64.length / 2)])
    const raw = { contentType: "application/pdf", parts: [one] }
    // One after the other: whoever sends four at once may find no time to read an answer while it is to be had.
    for (const version of ["v1", "v2", "v3"])
      for (const ask of [
        () => upload(version, inJson(oneMore)),
        () => upload(version, inJson(longer)),
        () => upload(version, raw, "?title=L"),
        () => upload(version, { ...raw, withLength: false }, "?title=L"),
      ]) {
        const { status, body, sentBytes } = await ask()
        expect([status, body.key]).toEqual([413, "file.pdf.too_large"])
        expect(sentBytes).toBeLessThan(BASE64_LIMIT + SLACK)
      }
  }, 600_000)
})
