import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Json, VERSIONS, type Version } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { addBusiness, addUser } from "../service/users.ts"

const content = contractPdf().toString("base64")
const TITLES = ["Alpha", "Beta", "Gamma 100%", "gamma_two", "Delta", "Epsilon", "Zeta"]

describe("the list of documents", () => {
  let service: Service
  let reader: Api
  let foreign: Api
  let ids: string[]
  beforeAll(async () => {
    service = await startService({ worker: false })
    reader = await addUser(service, "reader")
    foreign = await addUser(service, "foreign", { business: await addBusiness(service, "Other AG") })
    ids = []
    // One after the other: the list is in the order in which they came.
    for (const title of TITLES) {
      const { body } = await service.caller.post("/v2/documents", { title, content })
      ids.push(body.id)
    }
  })
  afterAll(() => service?.close())

  const list = async (v: Version, query = "", api = service.caller) => {
    const { status, headers, body } = await api.get(`/${v}/documents${query}`)
    return { status, titles: body.map?.((one: Json) => one.title), links: linksOf(headers.get("link")), body }
  }
  /** Follows a link as it was given, to the end. */
  const follow = async (first: string, rel: "next" | "prev") => {
    const pages: string[][] = []
    for (let next: string | undefined = first; next !== undefined; ) {
      const { pathname, search, origin } = new URL(next, service.url)
      expect(origin).toBe(service.url)
      const { headers, body } = await service.caller.get(pathname + search)
      pages.push(body.map((one: Json) => one.title))
      next = linksOf(headers.get("link"))[rel]
    }
    return pages
  }

  it.each(VERSIONS)(
    "[DOC-07] %s: holds the caller's own, the newest first, each as it is read alone",
    async (v) => {
      const { status, titles, links, body } = await list(v)
      expect([status, titles]).toEqual([200, TITLES.toReversed()])
      expect([links.next, links.prev]).toEqual([undefined, undefined])
      for (const one of body)
        expect(one).toEqual((await service.caller.get(`/${v}/documents/${one.id}`)).body)
    },
  )

  it.each(VERSIONS)("[DOC-07] %s: holds what is shared with the caller, and nothing else", async (v) => {
    const [first = "", second = ""] = ids
    const share = (id: string, access: object) =>
      service.caller.put(`/${v}/documents/${id}/access`, { read_access: [], write_access: [], ...access })
    expect((await list(v, "", reader)).body).toEqual([])
    await share(first, { read_access: ["reader"] })
    await share(second, { write_access: ["reader"] })
    expect((await list(v, "", reader)).titles).toEqual(["Beta", "Alpha"])
    await share(first, { read_access: ["foreign"] })
    expect((await list(v, "", reader)).titles).toEqual(["Beta"])
    // A name of another business opens nothing there.
    expect((await list(v, "", foreign)).body).toEqual([])
    await Promise.all([share(first, {}), share(second, {})])
    expect((await list(v, "", reader)).body).toEqual([])
  })

  it.each(VERSIONS)(
    "[DOC-07] %s: still holds one that goes with its request, until it is gone",
    async (v) => {
      await service.sql(`update document set removing_since = now() where id = '${ids[2]}'`)
      expect((await list(v)).titles).toEqual(TITLES.toReversed())
      await service.sql(`update document set removing_since = null where id = '${ids[2]}'`)
    },
  )

  it.each(VERSIONS)("%s: is read page by page by following the links, there and back again", async (v) => {
    const pages = await follow(`/${v}/documents?page_size=3`, "next")
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(TITLES.toReversed())
    const last = await list(v, "?page_size=3&page_number=3")
    expect([last.titles, last.links.next]).toEqual([["Alpha"], undefined])
    const back = await follow(last.links.prev ?? "", "prev")
    expect(back.map((page) => page.length)).toEqual([3, 3])
    expect(back.toReversed().flat()).toEqual(TITLES.toReversed().slice(0, 6))
    expect((await list(v, "?page_size=3&page_number=2")).titles).toEqual(TITLES.toReversed().slice(3, 6))
    expect((await list(v, "?page_number=99")).body).toEqual([])
  })

  it("does not move under whoever reads it: what comes meanwhile is on none of the next pages", async () => {
    const first = await list("v2", "?page_size=3")
    const { body } = await service.caller.post("/v2/documents", { title: "Meanwhile", content })
    expect((await follow(first.links.next ?? "", "next")).flat()).toEqual(TITLES.toReversed().slice(3))
    expect((await service.caller.delete(`/v2/documents/${body.id}`)).status).toBe(204)
  })

  it.each(VERSIONS)(
    "%s: is searched in its titles, without regard to case, for text and not for patterns",
    async (v) => {
      const found = async (text: string) => (await list(v, `?search=${encodeURIComponent(text)}`)).titles
      expect(await found("GAMMA")).toEqual(["gamma_two", "Gamma 100%"])
      expect(await found("a_t")).toEqual(["gamma_two"])
      expect(await found("0%")).toEqual(["Gamma 100%"])
      expect(await found("%")).toEqual(["Gamma 100%"])
      expect(await found("\\")).toEqual([])
      expect(await found("")).toEqual(TITLES.toReversed())
      const paged = await follow(`/${v}/documents?page_size=1&search=gamma`, "next")
      expect(paged).toEqual([["gamma_two"], ["Gamma 100%"]])
    },
  )

  it("refuses pages, sizes and cursors that are none", async () => {
    for (const query of [
      "?page_number=0",
      "?page_number=-1",
      "?page_number=x",
      "?page_size=0",
      "?page_size=501",
      "?page_size=1.5",
      "?cursor=nonsense",
      "?cursor=",
      "?search=%00",
      `?search=${"x".repeat(1025)}`,
      "?page_size=1&page_size=2",
    ])
      expect([query, (await list("v2", query)).status]).toEqual([query, 400])
  })
})

/** RFC 8288, as our answers write it. */
function linksOf(header: string | null): Partial<Record<"next" | "prev", string>> {
  const links = [...(header ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  return Object.fromEntries(links.map(([, address, rel]) => [rel, address]))
}
