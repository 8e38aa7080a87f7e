import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { operatorOf, type Person } from "../service/account.ts"
import { type Api, createApi, type Json } from "../service/api.ts"
import { memberApi } from "../service/members.ts"
import { contractPdf } from "../service/pdf.ts"
import { startProcess } from "../service/process.ts"
import { dateThere } from "../service/region-time.ts"
import { newAddress } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { AT, validate } from "../service/validation.ts"

const pdf = contractPdf()

describe("credits of the validation interface", () => {
  let service: Service
  let operator: Person
  beforeAll(async () => {
    service = await startService({ validation: true, env: { VALIDATION_PRICE: "2" } })
    ;({ operator } = await operatorOf(service, newAddress("operator")))
  })
  afterAll(() => service?.close())

  /** A business of its own, so that what one test uses no other counts. */
  const newCaller = async (kind: "demo" | "production" = "production") => {
    const business = await addBusiness(service, "Beta AG")
    const api = await addUser(service, `user-${business}`, { business, kind })
    return { business, api }
  }
  const agree = (business: string, price: string, included: string) =>
    service.paraph(
      ...["admin", "set-credits", "--business", business, "--price", price, "--included", included],
    )
  const read = async (api: Api, path: string): Promise<Json> => {
    const { status, body } = await api.get(`${AT}/billing/credits/${path}`)
    expect(status).toBe(200)
    return body
  }
  const month = () => dateThere(Date.now()).slice(0, 7).replace("-", "")

  it("[VAL-05] infos tell what each endpoint costs with this key, and since when; demo keys are never billed", async () => {
    const { api, business } = await newCaller()
    const infos = await read(api, "infos")
    expect(infos.validFrom).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(infos.consumptions).toContainEqual({
      sku: "validate-document",
      endpoint: "/v1/validate/document",
      credits: 2,
    })
    for (const { sku, credits } of infos.consumptions)
      if (sku !== "validate-document") expect([sku, credits]).toEqual([sku, 0])
    const demo = await read(service.caller, "infos")
    expect(demo.consumptions.every(({ credits }: Json) => credits === 0)).toBe(true)
    expect([infos.included, infos.left, demo.included, demo.left]).toEqual([null, null, null, null])
    await agree(business, "7", "unlimited")
    const agreed = await read(api, "infos")
    expect(agreed.consumptions[0]).toMatchObject({ sku: "validate-document", credits: 7 })
    expect(agreed.validFrom > infos.validFrom).toBe(true)
  })

  it("[VAL-05] [AUTH-11] usage counts requests and credits of this month, for the kind of the key and this business alone", async () => {
    const { api, business } = await newCaller()
    const demo = await addUser(service, `demo-${business}`, { business })
    const nothing = await read(api, "usage")
    expect(nothing).toMatchObject({ period: month(), usage: [], consumptions: [], requests: 0, credits: 0 })
    await validate(api, pdf)
    await validate(api, pdf)
    await validate(demo, pdf)
    // What is refused costs nothing.
    expect((await validate(api, Buffer.from("no PDF"))).status).toBe(400)
    expect((await validate(api, pdf, "quality=BEST")).status).toBe(400)
    const entry = { endpoint: "/v1/validate/document", requests: 2, credits: 4 }
    const first = `${dateThere(Date.now()).slice(0, 7)}-01`
    expect(await read(api, "usage")).toEqual({
      period: month(),
      from: first,
      to: expect.stringMatching(/^\d{4}-\d\d-(28|29|30|31)$/),
      usage: [entry],
      consumptions: [entry],
      requests: 2,
      credits: 4,
    })
    expect(await read(demo, "usage")).toMatchObject({ requests: 1, credits: 0 })
    expect((await read((await newCaller()).api, "usage")).requests).toBe(0)
  })

  it("[VAL-06] invoiced answers whole months that are over: by year, month or day, the last one unless said", async () => {
    const { api, business } = await newCaller()
    const insert = (day: string, requests: number) =>
      service.sql(`insert into credit_day (business_id, day, kind, sku, slot, requests, credits)
        values ('${business}', '${day}', 'production', 'validate-document', 99, ${requests}, ${2 * requests})`)
    const today = dateThere(Date.now())
    const last = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1, 0))
      .toISOString()
      .slice(0, 10)
    await insert("2024-02-29", 3)
    await insert("2024-03-01", 5)
    await insert(last, 1)
    await validate(api, pdf)
    const plain = (date: string) => date.replaceAll("-", "")
    const of = async (period: string | null) => {
      const { usage, consumptions, ...rest } = await read(
        api,
        `invoiced${period === null ? "" : `?period=${period}`}`,
      )
      expect(consumptions).toEqual(usage)
      expect(usage.length).toBe(rest.requests > 0 ? 1 : 0)
      return rest
    }
    const latest = { from: `${last.slice(0, 7)}-01`, to: last, period: plain(last).slice(0, 6) }
    expect(await of(null)).toEqual({ ...latest, requests: 1, credits: 2 })
    expect(await of(latest.period)).toEqual({ ...latest, requests: 1, credits: 2 })
    const february = { from: "2024-02-01", to: "2024-02-29", period: "202402", requests: 3, credits: 6 }
    expect(await of("202402")).toEqual(february)
    expect(await of("20240229")).toEqual({ ...february, from: "2024-02-29" })
    expect(await of("20240228")).toEqual({
      ...february,
      from: "2024-02-28",
      to: "2024-02-28",
      requests: 0,
      credits: 0,
    })
    expect(await of("2024")).toEqual({
      from: "2024-01-01",
      to: "2024-12-31",
      period: "202412",
      requests: 8,
      credits: 16,
    })
    // Of this year, what is invoiced.
    expect(await of(last.slice(0, 4))).toMatchObject({ to: last, period: latest.period, requests: 1 })

    const wrong = ["24", "2024-02", "202413", "20240230", "soon", "", month(), plain(today), "2999"]
    for (const period of wrong) {
      const { status, body } = await api.get(`${AT}/billing/credits/invoiced?period=${period}`)
      expect([period, status, body.type]).toEqual([
        period,
        400,
        expect.stringContaining("constraint-violation"),
      ])
    }
    for (const query of ["month=202402", "period=2024&period=2023"])
      expect((await api.get(`${AT}/billing/credits/invoiced?${query}`)).status).toBe(400)
  })

  it("a month that has ended is invoiced, and the new one begins at nothing", async () => {
    const { api, business } = await newCaller()
    await validate(api, pdf)
    const before = month()
    const [year, number] = [Number(before.slice(0, 4)), Number(before.slice(4))]
    const next = Date.UTC(year, number, 2)
    service.moveClock(next - Date.now())
    try {
      const later = await addUser(service, `later-${business}`, { business, kind: "production" })
      expect(await read(later, "usage")).toMatchObject({ requests: 0, credits: 0 })
      expect(await read(later, "invoiced")).toMatchObject({ period: before, requests: 1, credits: 2 })
    } finally {
      service.moveClock(0)
    }
  })

  it("credits that are used up answer 403, and nothing is validated; demo keys go on", async () => {
    const { api, business } = await newCaller()
    const demo = await addUser(service, `demo-${business}`, { business })
    await agree(business, "2", "5")
    expect((await validate(api, pdf)).status).toBe(200)
    expect((await validate(api, pdf)).status).toBe(200)
    const { status, body, headers } = await validate(api, pdf)
    expect([status, body.key]).toEqual([403, "error.credits.exhausted"])
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8")
    expect(await read(api, "usage")).toMatchObject({ requests: 2, credits: 4 })
    expect(await read(api, "infos")).toMatchObject({ included: 5, left: 1 })
    expect(await read(demo, "infos")).toMatchObject({ included: null, left: null })
    expect((await validate(demo, pdf)).status).toBe(200)
    await agree(business, "1", "5")
    expect((await validate(api, pdf)).status).toBe(200)
    expect((await validate(api, pdf)).status).toBe(403)
    await agree(business, "1", "unlimited")
    expect((await validate(api, pdf)).status).toBe(200)
  })

  it("many at once lose no booking, and never use more than is included", async () => {
    const { api, business } = await newCaller()
    const all = await Promise.all(Array.from({ length: 12 }, () => validate(api, pdf)))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect(await read(api, "usage")).toMatchObject({ requests: 12, credits: 24 })
    await agree(business, "2", "33")
    const some = await Promise.all(Array.from({ length: 12 }, () => validate(api, pdf)))
    const statuses = some.map(({ status }) => status)
    expect([
      statuses.filter((each) => each === 200).length,
      statuses.filter((each) => each === 403).length,
    ]).toEqual([4, 8])
    expect(await read(api, "usage")).toMatchObject({ requests: 16, credits: 32 })
    expect(await service.sql(`select count(*) from validation where business_id = '${business}'`)).toBe("16")
  })

  it("an operator agrees on them, on record; nobody else does", async () => {
    const { business } = await newCaller()
    const at = `/app/api/operator/businesses/${business}`
    expect((await operator.get(at)).body.credits).toMatchObject({ price: 2, included: null })
    const set = await operator.put(`${at}/credits`, { price: 3, included: 100 })
    expect([set.status, set.body]).toEqual([
      200,
      { price: 3, included: 100, valid_from: expect.stringMatching(/^\d{4}-/) },
    ])
    expect((await operator.get(at)).body.credits).toEqual(set.body)
    const { body: log } = await operator.get(`/app/api/operator/audit?business=${business}`)
    expect(log.find(({ act }: Json) => act === "set-credits")).toMatchObject({
      target: `business ${business}`,
      before: { price: 2, included: null },
      after: { price: 3, included: 100 },
    })
    for (const body of [{ price: -1, included: null }, { price: 1 }, { price: 1.5, included: 1 }, {}])
      expect((await operator.put(`${at}/credits`, body)).status).toBe(400)
    const owner = await memberApi(service, "owner")
    expect((await owner.put(`${at}/credits`, { price: 0, included: null })).status).toBe(403)
  })

  it("[ERR-05 val] validations of one key have a limit of their own, 30 a minute unless the operator says otherwise", async () => {
    const { business } = await newCaller()
    const username = `busy-${business}`
    await service.paraph("admin", "create-user", "--business", business, "--username", username)
    const made = await service.paraph("admin", "create-key", "--user", username, "--kind", "demo")
    const { VALIDATIONS_PER_KEY: _, ...env } = service.env
    const port = String(await freePort())
    const limited = await startProcess({ ...env, ROLES: "api,validation", PORT: port })
    try {
      const api = await createApi(`http://localhost:${port}`, username, made["api-key"] ?? "")
      // What is refused is counted as well. From the beginning of a window, so that it does not end meanwhile.
      const refused = () => validate(api, pdf, "quality=BEST")
      service.moveClock(Number((await refused()).headers.get("ratelimit-reset")) * 1000)
      const statuses: number[] = []
      for (let n = 0; n < 31; n += 1) statuses.push((await refused()).status)
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 400), 429])
      const { body, headers } = await validate(api, pdf)
      expect(body.key).toBe("error.rate_limit.exceeded")
      expect(headers.get("ratelimit-limit")).toBe("30")
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
      expect((await read(api, "usage")).requests).toBe(0)
      expect((await api.delete(`${AT}/validate/${business}`)).status).toBe(404)
    } finally {
      service.moveClock(0)
      await limited.kill()
    }
  })
})
