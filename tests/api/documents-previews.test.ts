import { writeSample } from "@paraph/pades/sample"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VERSIONS, type Version } from "../service/api.ts"
import { drawing } from "../service/children.ts"
import { pictureOf } from "../service/looks.ts"
import { drawnPage } from "../service/pages.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

const WHOLE = { width: 793, height: 1122 }
const SMALL = { width: 159, height: 225 }

/** Two pages to whoever follows the tree, and one to PDFium, which believes the count. */
const twoOpinions = Buffer.from(
  writeSample([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 1 /MediaBox [0 0 200 200] >>",
    "<< /Type /Page /Parent 2 0 R >>",
    "<< /Type /Page /Parent 2 0 R >>",
  ]),
)

describe("page previews", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
  })
  afterAll(() => service?.close())

  const upload = async (file = contractPdf("A page.", 3)) => {
    const { body } = await service.caller.post("/v2/documents", {
      title: "Pages",
      content: file.toString("base64"),
    })
    return body.id as string
  }
  const ask = (v: Version, id: string, rest: string, headers: Record<string, string> = {}) =>
    drawnPage(service.caller, `/${v}/documents/${id}/pages/${rest}`, headers)
  /** The process that waits for the next page: each draws one and ends. */
  const waiting = () =>
    until("a process waits for a page", () => {
      const [one, another] = drawing(service.api.pid)
      return another === undefined && one?.pid
    })

  it.each(VERSIONS)("%s: are WebP or PNG, as Accept says, in two sizes", async (v) => {
    const id = await upload()
    const cases = [
      ["0", {}, { type: "webp", ...WHOLE }],
      ["2?scale=100", {}, { type: "webp", ...WHOLE }],
      ["0?scale=20", {}, { type: "webp", ...SMALL }],
      ["0?scale=20", { accept: "image/png" }, { type: "png", ...SMALL }],
      ["1", { accept: "image/webp;q=0.5, image/png" }, { type: "png", ...WHOLE }],
      ["1", { accept: "image/*" }, { type: "webp", ...WHOLE }],
    ] as const
    for (const [rest, headers, expected] of cases) {
      const answer = await ask(v, id, rest, headers)
      expect([rest, answer.status, answer.headers.get("content-type")]).toEqual([
        rest,
        200,
        `image/${expected.type}`,
      ])
      expect(pictureOf(answer.bytes)).toEqual(expected)
      expect(answer.headers.get("vary")).toBe("accept")
    }
    for (const accept of ["text/html", "image/jpeg", "application/json"])
      expect([accept, (await ask(v, id, "0", { accept })).status]).toEqual([accept, 406])
  })

  it.each(VERSIONS)("%s: 404 behind the last page, 400 for what is no page and no size", async (v) => {
    const id = await upload()
    for (const rest of ["3", "9999999"]) expect([rest, (await ask(v, id, rest)).status]).toEqual([rest, 404])
    for (const rest of ["-1", "01", "x", "1.5", "99999999", "0?scale=50", "0?scale=100%25", "0?scale="])
      expect([rest, (await ask(v, id, rest)).status]).toEqual([rest, 400])
  })

  /** Asks for a page and breaks the process that draws it, as a document would that meets a fault of the renderer. */
  const breakDrawing = async (path: string) => {
    const pid = await waiting()
    process.kill(pid, "SIGSTOP")
    expect((await service.caller.get(path)).status).toBe(202)
    process.kill(pid, "SIGABRT")
    process.kill(pid, "SIGCONT")
  }

  it.each(VERSIONS)("%s: 422 for a page that cannot be drawn", async (v) => {
    const id = await upload()
    await breakDrawing(`/${v}/documents/${id}/pages/1`)
    const { status, body } = await ask(v, id, "1")
    expect([status, body.message]).toEqual([422, "The PDF ended its process."])
    expect((await ask(v, id, "0")).status).toBe(200)
  })

  it.each(VERSIONS)(
    "[B9] %s: a document with pages that the renderer does not find is refused",
    async (v) => {
      const { status, body } = await service.caller.post(`/${v}/documents`, {
        title: "Pages",
        content: twoOpinions.toString("base64"),
      })
      expect([status, body.key]).toEqual([400, "file.pdf.not_renderable"])
      expect(body.message).toContain("The renderer finds 1 pages, the parser 2.")
    },
  )

  it("are drawn once: who asks again is answered without another process, also that it cannot be", async () => {
    const [good, bad] = [await upload(), await upload()]
    await breakDrawing(`/v2/documents/${bad}/pages/1`)
    for (const [id, rest, status] of [
      [bad, "1", 422],
      [good, "1?scale=20", 200],
    ] as const) {
      const before = await waiting()
      const first = await ask("v2", id, rest)
      expect(first.status).toBe(status)
      const isDrawn = status === 200
      const after = await until(
        "another waits",
        async () => (!isDrawn || (await waiting()) !== before) && waiting(),
      )
      const second = await ask("v2", id, rest)
      expect([second.status, second.bytes.length]).toEqual([status, first.bytes.length])
      if (isDrawn) expect(second.bytes.equals(first.bytes)).toBe(true)
      expect(drawing(service.api.pid).map(({ pid }) => pid)).toEqual([after])
    }
  })

  it("202 with Retry-After while one is drawn, and the picture to who comes back", async () => {
    const path = `/v2/documents/${await upload()}/pages/0`
    // The process that is to draw it is held up, for as long as we like.
    const pid = await waiting()
    process.kill(pid, "SIGSTOP")
    const { status, headers, bytes } = await service.caller.get(path)
    expect([status, headers.get("retry-after"), bytes.length]).toEqual([202, "1", 0])
    // Others who ask for it start no second drawing, and other pages are drawn meanwhile.
    const [again, another] = await Promise.all([
      service.caller.get(path),
      drawnPage(service.caller, path.replace(/0$/, "1")),
    ])
    expect([again.status, another.status]).toEqual([202, 200])
    process.kill(pid, "SIGCONT")
    const drawn = await drawnPage(service.caller, path)
    expect([drawn.status, pictureOf(drawn.bytes)]).toEqual([200, { type: "webp", ...WHOLE }])
    await until("it has ended", () => !drawing(service.api.pid).some((child) => child.pid === pid))
  })
})
