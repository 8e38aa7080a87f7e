import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { measure, OFTEN, pagesOf, SELDOM, seedRequests } from "../bench/many-requests.ts"
import { type Service, startService } from "../service/service.ts"

const COUNT = 200_000
const PAGE_SIZE = 20
const signed = (email: string) =>
  `exists (select from signature s where s.request_id = r.request_id and s.email = '${email}')`

/** As `npm run bench:lists` asks it of 1,000,000, here of fewer: what must hold is that the place in the list costs nothing. */
const LISTS = [
  { name: "the whole list", query: "", where: "true", page: 10_000 - 1 },
  { name: "by status", query: "&status_overall=WITHDRAWN", where: "status = 'WITHDRAWN'", page: 900 },
  {
    name: "by a signer of half of them",
    query: `&signer_email_address=${OFTEN}`,
    where: signed(OFTEN),
    page: 4_900,
  },
  { name: "by a signer of few", query: `&signer_email_address=${SELDOM}`, where: signed(SELDOM), page: 9 },
  {
    name: "by the state of a signature",
    query: "&signature_status=DECLINED",
    where: "status = 'DECLINED'",
    page: 1,
  },
]

describe(`[SR-16] the lists of a business with ${COUNT.toLocaleString("en")} requests`, () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ worker: false })
    await seedRequests(service, COUNT)
  }, 300_000)
  afterAll(() => service?.close())

  it.each(LISTS.filter(({ page }) => page > 1))(
    "$name: page $page by the Link cursor costs what the first one does, within 1.5 times",
    async (list) => {
      const pages = await pagesOf(service, list, PAGE_SIZE, list.page)
      const { firstMs, deepMs } = await measure(service.caller, pages, 15)
      expect(deepMs / firstMs, `${firstMs} ms and ${deepMs} ms`).toBeLessThan(1.5)
    },
  )

  it("the cursor is the one that the Link header of the page before says", async () => {
    const { first, deep } = await pagesOf(service, { query: "", where: "true" }, PAGE_SIZE, 2)
    const link = (await service.caller.get(first)).headers.get("link") ?? ""
    const next = /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? ""
    expect(new URL(next).searchParams.get("cursor")).toBe(
      new URL(deep, service.url).searchParams.get("cursor"),
    )
  })

  it.each(LISTS)("$name: its first page is there within two seconds", async ({ query }) => {
    const started = performance.now()
    const { status, body } = await service.caller.get(`/v2/signature-requests?page_size=${PAGE_SIZE}${query}`)
    expect([status, body.length]).toEqual([200, PAGE_SIZE])
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
