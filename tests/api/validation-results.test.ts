import { randomUUID } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, call } from "../service/api.ts"
import { memberApi } from "../service/members.ts"
import { contractPdf } from "../service/pdf.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { freePort } from "../service/settings.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { AT, asHost, inBase64, sealed, validate } from "../service/validation.ts"

const TEN_MINUTES = 10 * 60_000
const NOBODY = "00000000-0000-4000-8000-000000000000"

describe("results of validations", () => {
  let service: SealingService
  let spool: string
  let signed: Buffer
  const unsigned = contractPdf()
  beforeAll(async () => {
    spool = await mkdtemp(join(tmpdir(), "paraph-spool-"))
    service = await startSealing({ validation: true, env: { SPOOL_FOLDER: spool, SPOOL_KEPT_MB: "0" } })
    signed = await sealed(service.caller, contractPdf("Sealed."))
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await rm(spool, { recursive: true, force: true })
  })

  const count = async (table: string) => Number(await service.sql(`select count(*) from ${table}`))
  /** Documents on their way; beside them lies compiled code. */
  const files = async () =>
    (await readdir(spool, { recursive: true, withFileTypes: true })).flatMap((entry) =>
      entry.isFile() && !/\/code(\/|$)/.test(entry.parentPath) ? [entry.name] : [],
    )

  describe("its own base address, its own v1, and the same login", () => {
    const login = (url: string, path: string, body: unknown, headers = {}) =>
      call(url, "POST", path, body, headers)

    it("[VAL-07] logs in by JSON or a form; its tokens and those of the signing interface open both", async () => {
      const credentials = { username: service.username, "api-key": service.demoKey }
      const asForm = new URLSearchParams(credentials).toString()
      const type = { "content-type": "application/x-www-form-urlencoded" }
      const answers = [
        await login(service.url, `${AT}/access/login`, credentials),
        await login(service.url, `${AT}/access/login`, asForm, type),
      ]
      for (const { status, headers, bytes } of answers) {
        expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"])
        const authorization = `Bearer ${bytes.toString()}`
        const ask = (path: string) => call(service.url, "GET", path, undefined, { authorization })
        expect((await ask("/v2/documents")).status).toBe(200)
        expect((await ask(`${AT}/billing/credits/infos`)).status).toBe(200)
      }
      const wrong = await login(service.url, `${AT}/access/login`, {
        ...credentials,
        "api-key": "api_demo_x",
      })
      expect([wrong.status, wrong.body.key]).toEqual([401, "error.auth.credentials_invalid"])
    })

    it("[AUTH-03 val] answers 401 without a token, whatever is asked for, but for its description", async () => {
      const paths = [
        ["POST", "/validate/document"],
        ["DELETE", `/validate/${NOBODY}`],
        ["GET", `/infos/${NOBODY}/validation`],
        ["GET", `/infos/${NOBODY}/signers`],
        ["GET", `/infos/${NOBODY}/format`],
        ["GET", `/infos/${NOBODY}/differences/1`],
        ["GET", `/reports/${NOBODY}/etsi`],
        ["GET", `/reports/${NOBODY}/pdf`],
        ["GET", "/billing/credits/infos"],
        ["GET", "/billing/credits/usage"],
        ["GET", "/billing/credits/invoiced"],
      ] as const
      for (const [method, path] of paths) {
        const { status, body } = await call(service.url, method, `${AT}${path}`, undefined, {})
        expect([path, status, body.key]).toEqual([path, 401, "error.auth.token_invalid"])
      }
      const { status, body } = await call(service.url, "GET", `${AT}/api-docs`, undefined, {})
      expect([status, body.servers]).toEqual([200, [{ url: `${service.url}/validation/v1` }]])
    })

    it("[VAL-07] may have a host of its own, at which there is nothing else; and a process of its own", async () => {
      const port = String(await freePort())
      const own = await service.startApi({
        ROLES: "validation",
        PORT: port,
        HOST: "127.0.0.1",
        VALIDATION_BASE_URL: "http://validation.localhost",
      })
      const at = `http://127.0.0.1:${port}`
      const credentials = { username: service.username, "api-key": service.demoKey }
      const ask = (method: string, path: string, body?: unknown, headers = {}) =>
        asHost(at, "validation.localhost", method, path, body, headers)
      const { status, text } = await ask("POST", "/v1/access/login", credentials)
      expect(status).toBe(200)
      const authorization = `Bearer ${text}`
      const validated = await ask(
        "POST",
        "/v1/validate/document",
        { content: inBase64(unsigned) },
        { authorization },
      )
      expect(validated.status).toBe(200)
      const { id } = JSON.parse(validated.text)
      const read = await ask("GET", `/v1/infos/${id}/format`, undefined, { authorization })
      expect([read.status, JSON.parse(read.text).fileType]).toEqual([200, "PDF"])
      const missing = await ask("GET", "/v1/documents", undefined, { authorization })
      expect([missing.status, JSON.parse(missing.text).path]).toEqual([404, "/v1/documents"])
      expect((await ask("GET", "/v1/api-docs")).text).toContain('"url":"http://validation.localhost/v1"')
      // By another name it has no signing interface either: that is another role.
      const asked = await asHost(at, "localhost", "GET", "/v2/documents", undefined, { authorization })
      expect(asked.status).toBe(404)
      await own.kill()
    })
  })

  it("[VAL-08] an id of somebody else is answered like one that nothing has", async () => {
    const { body } = await validate(service.caller, signed)
    const other = await addUser(service, "stranger", { business: await addBusiness(service, "Beta AG") })
    const colleague = await addUser(service, "colleague")
    const strangers: readonly Api[] = [
      other,
      service.production,
      colleague,
      await memberApi(service, "owner"),
    ]
    for (const who of strangers)
      for (const path of [
        "infos/ID/validation",
        "infos/ID/signers",
        "infos/ID/format",
        "infos/ID/differences/1",
        "reports/ID/etsi",
      ]) {
        const [theirs, nobodys] = [
          await who.get(`${AT}/${path.replace("ID", body.id)}`),
          await who.get(`${AT}/${path.replace("ID", NOBODY)}`),
        ]
        expect([theirs.status, nobodys.status]).toEqual([404, 404])
        expect(theirs.body.detail).toBe(nobodys.body.detail)
      }
    for (const who of strangers) expect((await who.delete(`${AT}/validate/${body.id}`)).status).toBe(404)
    expect((await service.caller.get(`${AT}/infos/${body.id}/format`)).status).toBe(200)
    expect((await service.caller.get(`${AT}/infos/nonsense/format`)).status).toBe(400)
  })

  it("is open to every member of a business, each with results of their own", async () => {
    for (const role of ["owner", "member"] as const) {
      const who = await memberApi(service, role)
      const { status, body } = await validate(who, unsigned)
      expect([status, (await who.get(`${AT}/infos/${body.id}/format`)).status]).toEqual([200, 200])
    }
  })

  it("keeps nothing of the document, and the result sealed", async () => {
    const { body } = await validate(service.caller, signed)
    const documents = await count("document")
    expect(await files()).toEqual([])
    expect(await count("loose_blob")).toBe(0)
    expect(await count("document")).toBe(documents)
    const row = await service.sql(`select encode(result, 'escape') from validation where id = '${body.id}'`)
    expect(row).not.toContain("Acme")
  })

  it("no GET changes anything", async () => {
    const { body } = await validate(service.caller, signed)
    const state = () =>
      service.sql(
        "select (select json_agg(v order by id) from validation v)::text || (select json_agg(c order by c) from (select * from credit_day) c)::text",
      )
    const before = await state()
    for (const path of ["validation", "signers", "format", "differences/1"])
      await service.caller.get(`${AT}/infos/${body.id}/${path}`)
    for (const path of ["infos", "usage", "invoiced"])
      await service.caller.get(`${AT}/billing/credits/${path}`)
    expect(await state()).toBe(before)
  })

  it("DELETE takes the result away at once, and answers 204 once", async () => {
    const { body } = await validate(service.caller, unsigned)
    const remove = () => service.caller.delete(`${AT}/validate/${body.id}`)
    const [first, second] = [await remove(), await remove()]
    expect([first.status, first.bytes.length, second.status]).toEqual([204, 0, 404])
    expect((await service.caller.get(`${AT}/infos/${body.id}/format`)).status).toBe(404)
    expect(await service.sql(`select count(*) from validation where id = '${body.id}'`)).toBe("0")
  })

  it("a second POST with the same Idempotency-Key answers the same and is booked once", async () => {
    const key = { "idempotency-key": randomUUID() }
    const results = await count("validation")
    const requests = async () =>
      Number(await service.sql("select coalesce(sum(requests), 0) from credit_day where kind = 'demo'"))
    const booked = await requests()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => validate(service.caller, signed, "infos=signer", key)),
    )
    expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1)
    expect([await count("validation"), await requests()]).toEqual([results + 1, booked + 1])
    const other = await validate(service.caller, unsigned, "infos=signer", key)
    expect([other.status, other.body.key]).toEqual([409, "error.idempotency.conflict"])
  })

  it("a process that is killed before it answers: the next one with the key is told the result, booked once", async () => {
    const key = { "idempotency-key": randomUUID() }
    const path = `${AT}/validate/document?infos=format`
    const body = { content: inBase64(signed) }
    const port = String(await freePort())
    const results = await count("validation")
    const doomed = await service.startApi({ PORT: port, FAULT_POINT: "answer-made" })
    const headers = { authorization: `Bearer ${service.caller.token}`, ...key }
    await expect(call(`http://localhost:${port}`, "POST", path, body, headers)).rejects.toThrow()
    expect(await doomed.died).toBe("SIGKILL")
    expect(await count("validation")).toBe(results + 1)
    // Its claim ends with the lease; until then nobody can know that it is dead.
    service.moveClock(31_000)
    const again = await service.caller.post(path, body, key)
    expect([again.status, again.body.signatures]).toEqual([200, 1])
    expect(again.body.additionalInfos.format.fileType).toBe("PDF")
    expect((await service.caller.get(`${AT}/infos/${again.body.id}/format`)).status).toBe(200)
    expect(await count("validation")).toBe(results + 1)
    service.moveClock(0)
  })

  it("a result lives ten minutes, and then is gone from the database too", async () => {
    const { body } = await validate(service.caller, signed)
    const read = () => service.caller.get(`${AT}/infos/${body.id}/signers`)
    service.moveClock(TEN_MINUTES - 30_000)
    expect((await read()).status).toBe(200)
    service.moveClock(TEN_MINUTES + 1_000)
    expect((await read()).status).toBe(404)
    expect((await service.caller.delete(`${AT}/validate/${body.id}`)).status).toBe(404)
    await until(
      "it is swept",
      async () => (await service.sql(`select count(*) from validation where id = '${body.id}'`)) === "0",
    )
    service.moveClock(0)
  })
})
