import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Json, VERSIONS, type Version } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import {
  createRequest,
  emailsOf,
  entry,
  FIVE,
  newAddress,
  openRequest,
  uploadTo,
} from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

const ADA = "ada@example.org"
const BEN = "ben@example.org"

describe("reading signature requests", () => {
  let service: Service
  let documentId: string
  let reader: Api
  let writer: Api
  let foreign: Api
  beforeAll(async () => {
    service = await startService()
    const otherBusiness = await addBusiness(service, "Other AG")
    const users = ["reader", "writer"].map((name) => addUser(service, name))
    ;[reader, writer, foreign] = (await Promise.all([
      ...users,
      addUser(service, "foreign", { business: otherBusiness }),
    ])) as [Api, Api, Api]
    documentId = await uploadTo(service.caller, "v2")
  })
  afterAll(() => service?.close())

  const path = (v: Version, id = "") => `/${v}/signature-requests${id === "" ? "" : `/${id}`}`
  const read = (v: Version, id: string, api = service.caller) => api.get(path(v, id))
  const open = (v: Version, more: object = {}) => openRequest(service.caller, v, documentId, more)

  it.each(VERSIONS)("[SR-15] %s: gives the current state", async (v) => {
    const request = await open(v, { signatures: [entry(v, ADA, { place: 3 })] })
    expect((await read(v, request.id)).body).toEqual(request)
    const added = await service.caller.post(`${path(v, request.id)}/signatures`, entry(v, BEN))
    expect(emailsOf(v, added.body)).toEqual([ADA, BEN])
    expect((await read(v, request.id)).body).toEqual(added.body)
    expect((await read(v, crypto.randomUUID())).status).toBe(404)
    expect((await read(v, "not-a-uuid")).status).toBe(400)
    expect((await read(v, `urn:uuid:${request.id}`)).status).toBe(400)
    expect((await read(v, request.id.toUpperCase())).body.id).toBe(request.id)
  })

  it("[SR-15 v3] answers 406 where Accept allows no type that it has", async () => {
    const { id } = await open("v2")
    for (const accept of ["application/json", "*/*", "application/*", "text/html, application/json;q=0.1"])
      expect((await service.caller.get(path("v3", id), { accept })).status).toBe(200)
    for (const accept of ["text/html", "application/pdf", "application/json;q=0"])
      expect((await service.caller.get(path("v3", id), { accept })).status).toBe(406)
    for (const v of ["v1", "v2"] as const)
      expect((await service.caller.get(path(v, id), { accept: "text/html" })).status).toBe(200)
  })

  it.each(VERSIONS)("%s: has an ETag, and says 304 to who has the same", async (v) => {
    const { id } = await open(v)
    const first = await read(v, id)
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[\w-]+"$/)
    const again = await service.caller.get(path(v, id), { "if-none-match": `"x", W/${etag}` })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    await service.caller.patch(path(v, id), { title: "New" })
    const changed = await service.caller.get(path(v, id), { "if-none-match": etag })
    expect([changed.status, changed.body.title]).toEqual([200, "New"])
  })

  it.each(VERSIONS)("[SR-06] %s: readers read, writers manage, everybody else finds nothing", async (v) => {
    const { id } = await open(v, {
      signatures: [entry(v, ADA)],
      read_access: ["reader", "foreign"],
      write_access: ["writer"],
    })
    const change = (api: Api, title: string) => api.patch(path(v, id), { title })
    const listed = async (api: Api) =>
      (await api.get(`${path(v)}?page_size=500`)).body.some((one: Json) => one.id === id)
    expect([(await read(v, id, reader)).status, (await change(reader, "r")).status]).toEqual([200, 403])
    expect((await reader.post(`${path(v, id)}/signatures`, entry(v, BEN))).status).toBe(403)
    for (const action of ["remind", "withdraw"])
      expect((await reader.post(`${path(v, id)}/${action}`, {})).status).toBe(403)
    expect((await reader.delete(path(v, id))).status).toBe(403)
    expect([(await read(v, id, writer)).status, (await change(writer, "w")).status]).toEqual([200, 200])
    const added = await writer.post(`${path(v, id)}/signatures`, entry(v, BEN))
    expect(emailsOf(v, added.body)).toEqual([ADA, BEN])
    const removed = await writer.delete(`${path(v, id)}/signatures/${added.body.signatures[1].sid}`)
    expect(removed.status).toBe(204)
    expect([(await read(v, id, foreign)).status, (await change(foreign, "f")).status]).toEqual([404, 404])
    expect(await Promise.all([reader, writer, foreign].map(listed))).toEqual([true, true, false])
    expect((await read(v, id)).body.title).toBe("w")
  })

  it("[SR-06] who may read a request reads its documents too, signed or not, and changes none", async () => {
    const own = await uploadTo(service.caller, "v2")
    const signer = newAddress("signs")
    const more = { signatures: [entry("v2", signer)], read_access: ["reader"], write_access: ["writer"] }
    const { id } = await openRequest(service.caller, "v2", own, more)
    // 202 means that the page is still being rendered; it says nothing about access.
    const statusOf = async (api: Api, url: string) => {
      let status = 202
      await until(`${url} is rendered`, async () => {
        status = (await api.get(url)).status
        return status !== 202
      })
      return status
    }
    const reads = (api: Api, document: string) =>
      Promise.all(
        ["", "/content", "/pages/0"].map((part) => statusOf(api, `/v2/documents/${document}${part}`)),
      )
    const bystander = await addUser(service, "bystander")
    for (const api of [reader, writer]) expect(await reads(api, own)).toEqual([200, 200, 200])
    for (const api of [bystander, foreign]) expect(await reads(api, own)).toEqual([404, 404, 404])
    await service.caller.patch(path("v2", id), { read_access: [] })
    expect(await reads(reader, own)).toEqual([404, 404, 404])
    await service.caller.patch(path("v2", id), { read_access: ["reader"] })

    await (await openSession(service.url, await linkMailedTo(signer))).press("Sig Ner")
    await until("it is signed", async () => (await read("v2", id)).body.status_overall === "SIGNED")
    const { document_id: signed } = (await read("v2", id)).body
    expect(signed).not.toBe(own)
    expect(await reads(reader, signed)).toEqual([200, 200, 200])
    expect(await reads(bystander, signed)).toEqual([404, 404, 404])
    expect((await writer.put(`/v2/documents/${own}/access`, { read_access: ["bystander"] })).status).toBe(404)
    expect((await writer.delete(`/v2/documents/${signed}`)).status).toBe(404)
  })

  it.each(VERSIONS)(
    "%s: only who manages a request is told the address of a signer without an account",
    async (v) => {
      const { id, signatures } = await open(v, {
        signatures: [{ signer_identity_data: FIVE }],
        read_access: ["reader"],
        write_access: ["writer"],
      })
      const told = async (api: Api) => {
        const [alone, listed, bulk] = await Promise.all([
          api.get(path(v, id)),
          api.get(`${path(v)}?page_size=500`),
          api.post(`${path(v)}/bulk`, [id]),
        ])
        const all = [alone.body, ...listed.body.filter((one: Json) => one.id === id), ...bulk.body]
        expect(all).toHaveLength(3)
        return new Set(all.map((one: Json) => one.signatures[0].signing_url))
      }
      expect(await told(service.caller)).toEqual(new Set([signatures[0].signing_url]))
      expect(await told(writer)).toEqual(new Set([signatures[0].signing_url]))
      expect(await told(reader)).toEqual(new Set([undefined]))
    },
  )

  it("[SR-13 v1, SR-13 v2, SR-13 v3] a signer without an account is found by the opaque identifier that answers show", async () => {
    const api = await addUser(service, "identifier")
    const own = await uploadTo(api, "v2")
    const { body } = await createRequest(api, "v2", own, { signatures: [{ signer_identity_data: FIVE }] })
    await createRequest(api, "v2", own, { signatures: [entry("v2", ADA)] })
    const { account_email: shown } = body.signatures[0]
    for (const v of VERSIONS)
      for (const name of ["signer_email_address", "account_email"]) {
        const found = await api.get(`${path(v)}?${name}=${shown}`)
        expect([found.status, found.body.map(({ id }: Json) => id)]).toEqual([200, [body.id]])
      }
  })

  it("[SR-16] every version lists the same: by state, by signature, by signer, by title, page by page", async () => {
    const api = await addUser(service, "lister")
    const own = await uploadTo(api, "v2")
    const titles = ["Alpha", "Beta", "Gamma 100%", "Delta", "Epsilon"]
    const made: Json[] = []
    for (const [i, title] of titles.entries())
      made.push(
        await openRequest(api, "v2", own, { title, signatures: [entry("v2", i % 2 === 0 ? ADA : BEN)] }),
      )
    const draft = (await createRequest(api, "v3", own, { title: "Draft", signatures: [entry("v3", BEN)] }))
      .body
    await api.post(`${path("v2", made[0].id)}/withdraw`, { message: "no" })
    const declines = newAddress("declines")
    await api.post(`${path("v2", made[1].id)}/signatures`, entry("v2", declines))
    const other = await openSession(service.url, await linkMailedTo(declines))
    expect((await other.decline("not mine")).status).toBe(200)

    for (const v of VERSIONS) {
      const list = async (query: string) => {
        const { status, body } = await api.get(`${path(v)}?${query}`)
        return status === 200 ? body.map((one: Json) => one.title) : status
      }
      expect(await list("")).toEqual(["Draft", ...titles.toReversed()])
      expect(await list("status_overall=OPEN")).toEqual(["Epsilon", "Delta", "Gamma 100%"])
      expect(await list("status_overall=DRAFT")).toEqual(["Draft"])
      expect(await list("status_overall=WITHDRAWN")).toEqual(["Alpha"])
      expect(await list("status_overall=DECLINED")).toEqual(["Beta"])
      expect(await list("status_overall=SIGNED")).toEqual([])
      expect(await list("signature_status=declined")).toEqual(["Beta"])
      expect(await list("signature_status=DECLINED")).toEqual(["Beta"])
      expect(await list("signature_status=signed")).toEqual([])
      expect(await list("signature_status=open&search=a")).toEqual([
        "Draft",
        "Delta",
        "Gamma 100%",
        "Beta",
        "Alpha",
      ])
      expect(await list(`signer_email_address=${ADA}`)).toEqual(["Epsilon", "Gamma 100%", "Alpha"])
      expect(await list(`account_email=${BEN}&status_overall=OPEN`)).toEqual(["Delta"])
      expect(await list("search=ta")).toEqual(["Delta", "Beta"])
      expect(await list("search=100%25")).toEqual(["Gamma 100%"])
      expect(await list("page_size=2&page_number=2")).toEqual(["Delta", "Gamma 100%"])
      expect(await list("page_size=2&page_number=9")).toEqual([])
      for (const bad of [
        "status_overall=open",
        "signature_status=x",
        "signer_email_address=ada",
        `account_email=${ADA}&signer_email_address=${BEN}`,
        "page_number=0",
        "page_size=501",
        "cursor=nonsense",
        "status_overall=OPEN&status_overall=SIGNED",
      ])
        expect([bad, await list(bad)]).toEqual([bad, 400])
      const pages = await follow(api, `${path(v)}?page_size=2&status_overall=OPEN&search=a`, "next")
      expect(pages.map((page) => page.map(({ title }) => title))).toEqual([["Delta", "Gamma 100%"]])
      const all = await follow(api, `${path(v)}?page_size=4`, "next")
      expect(all.flat().map(({ id }) => id)).toEqual([draft, ...made.toReversed()].map(({ id }) => id))
      for (const one of all.flat()) expect(one).toEqual((await api.get(path(v, one.id))).body)
    }
    expect((await api.get(`${path("v3")}?limit=1`)).status).toBe(400)
    expect((await api.get(`${path("v2")}?limit=1`)).status).toBe(200)
  })

  it("a list does not move under whoever reads it, and is read backwards too", async () => {
    const api = await addUser(service, "walker")
    const own = await uploadTo(api, "v2")
    for (const title of ["1", "2", "3", "4", "5"]) await openRequest(api, "v2", own, { title })
    const first = await api.get(`${path("v2")}?page_size=2`)
    await openRequest(api, "v2", own, { title: "6" })
    const { next } = linksOf(first.headers.get("link"))
    const rest = await follow(api, next ?? "", "next")
    expect(rest.flat().map(({ title }) => title)).toEqual(["3", "2", "1"])
    const last = await api.get(`${path("v2")}?page_size=2&page_number=3`)
    const back = await follow(api, linksOf(last.headers.get("link")).prev ?? "", "prev")
    expect(
      back
        .toReversed()
        .flat()
        .map(({ title }) => title),
    ).toEqual(["6", "5", "4", "3"])
  })

  it.each(VERSIONS)(
    "%s: reads up to 100 at once, in the order asked for, without what is not readable",
    async (v) => {
      const mine = [await open(v), await open(v)].map(({ id }) => id)
      const theirs = (await openRequest(writer, v, await uploadTo(writer, v))).id
      const [a = "", b = ""] = mine
      const bulk = (body: unknown) => service.caller.post(`${path(v)}/bulk`, body)
      const { status, body } = await bulk([b, theirs, crypto.randomUUID(), a.toUpperCase(), b])
      expect([status, body.map((one: Json) => one.id)]).toEqual([200, [b, a]])
      expect(body[0]).toEqual((await read(v, b)).body)
      expect((await bulk([])).body).toEqual([])
      expect((await bulk(Array.from({ length: 100 }, () => crypto.randomUUID()))).body).toEqual([])
      for (const bad of [Array.from({ length: 101 }, () => a), ["x"], { ids: [a] }, [null], undefined])
        expect((await bulk(bad)).status).toBe(400)
    },
  )

  it.each(VERSIONS)("[SR-31] %s: no operation signs or declines for a person", async (v) => {
    const file = v === "v1" ? "v1.swagger.json" : `${v}.json`
    const described = JSON.parse(readFileSync(new URL(`../../openapi/${file}`, import.meta.url), "utf8"))
    const addresses = Object.keys(described.paths)
    expect(addresses).toContain("/signature-requests/{id}/signatures")
    expect(addresses.filter((address) => /sign$|decline|consent/.test(address))).toEqual([])
    const { id, signatures } = await open(v, { signatures: [entry(v, newAddress("untouched"))] })
    const [{ sid }] = signatures
    for (const action of ["sign", "decline", "consent"])
      for (const at of [path(v, id), `${path(v, id)}/signatures/${sid}`])
        expect((await service.caller.post(`${at}/${action}`, {})).status).toBe(404)
    const signed = { status_code: "SIGNED", signed_at: new Date().toISOString() }
    await service.caller.patch(path(v, id), { status_overall: "SIGNED" })
    await service.caller.put(path(v), {
      id,
      signatures: [{ ...entry(v, ADA), ...signed }],
    })
    const { body } = await read(v, id)
    expect([body.status_overall, body.signatures[0].status_code]).toEqual(["OPEN", "OPEN"])
    expect(body.signatures[0]).not.toHaveProperty("signed_at")
  })

  async function follow(api: Api, first: string, rel: "next" | "prev"): Promise<Json[][]> {
    const pages: Json[][] = []
    for (let next: string | undefined = first; next !== undefined; ) {
      const { pathname, search, origin } = new URL(next, service.url)
      expect(origin).toBe(service.url)
      const { headers, body } = await api.get(pathname + search)
      pages.push(body)
      next = linksOf(headers.get("link"))[rel]
    }
    return pages
  }
})

/** RFC 8288, as our answers write it; v1 has others in the same header. */
function linksOf(header: string | null): Partial<Record<"next" | "prev", string>> {
  const links = [...(header ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  return Object.fromEntries(links.map(([, address, rel]) => [rel, address]))
}
