import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, call } from "../service/api.ts"
import { qpdfFaults, textOf } from "../service/looks.ts"
import { memberApi } from "../service/members.ts"
import { contractPdf } from "../service/pdf.ts"
import type { ServerProcess } from "../service/process.ts"
import { sealersOf } from "../service/sealed.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { storyOf } from "../service/stories.ts"
import { startTrust, type Trust } from "../service/trust.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { AT, changedAfterwards, sealed, validate } from "../service/validation.ts"

const TEN_MINUTES = 10 * 60_000
const NOBODY = "00000000-0000-4000-8000-000000000000"
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const report = (api: Api, id: string, lang?: string): Promise<Answer> =>
  api.get(`${AT}/reports/${id}/pdf${lang === undefined ? "" : `?lang=${lang}`}`)
/** All its words on one line, with the groups of a fingerprint put together again. */
const words = async (pdf: Uint8Array) => (await textOf(pdf)).join(" ").replace(/\s+/g, " ")

describe("the sealed report of a validation", { timeout: 300_000 }, () => {
  let service: SealingService
  let signed: Buffer
  beforeAll(async () => {
    service = await startSealing({ validation: true, env: { SEAL_WAIT_SECONDS: "100" } })
    signed = await sealed(service.caller, contractPdf("Sealed."))
  }, 300_000)
  afterAll(() => service?.close())

  const validated = async (pdf: Uint8Array = signed, api: Api = service.caller): Promise<string> =>
    (await validate(api, pdf)).body.id
  const rows = (id: string) =>
    service.sql(`select count(*) from validation_report where validation_id = '${id}'`)

  it("is a PDF for people that names document, signer and verdict, under a seal that we call good ourselves", async () => {
    const id = await validated()
    const { status, headers, bytes } = await report(service.caller, id)
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      200,
      "application/pdf",
      'attachment; filename="validation-report.pdf"',
    ])
    expect(headers.get("cache-control")).toBe("no-store")
    expect(await qpdfFaults(bytes)).toBe("")
    const text = await words(bytes)
    for (const said of ["Valid (TOTAL-PASSED)", "Demo: Acme AG", id, "demo, no legal effect, Service seal"])
      expect(text).toContain(said)
    expect(text).toContain("Made with a demo key, for tests only")
    expect(text.replaceAll(" ", "")).toContain(sha256(signed))

    const again = await validate(service.caller, bytes, "infos=validation&infos=signer&infos=format")
    expect(again.body).toMatchObject({
      valid: true,
      signatures: 1,
      longTermValidation: true,
      // By a key that signs for nobody else.
      quality: "AES",
      additionalInfos: {
        validation: { indication: "TOTAL-PASSED" },
        format: { quality: "PDF/A-2A" },
        signer: [{ optionalInfos: { reason: `Report on validation ${id}` } }],
      },
    })
    expect(sealersOf(bytes)).toMatchObject([{ field: `Paraph-${id}`, organization: "Paraph tests" }])
  })

  it("is the same the second time, whoever of many asks first; each language is another", async () => {
    const id = await validated()
    const started = performance.now()
    const many = await Promise.all(Array.from({ length: 6 }, () => report(service.caller, id, "de")))
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    // All of them are told when it is there, and none waits for as long as one may.
    expect(performance.now() - started).toBeLessThan(90_000)
    const later = await report(service.caller, id.toUpperCase(), "de")
    expect(new Set([...many, later].map(({ bytes }) => sha256(bytes))).size).toBe(1)
    const [first] = many
    expect(await words(first?.bytes ?? Buffer.alloc(0))).toMatch(
      /Bericht über die Prüfung .* Gültig .* Gesiegelt von/,
    )
    expect(await words((await report(service.caller, id, "fr")).bytes)).toContain("Scellé par")
    expect(await words((await report(service.caller, id, "it")).bytes)).toContain("Sigillato da")
    expect(await rows(id)).toBe("3")
    // What the key was used for stays on record, and says nothing about the document.
    const used = (await storyOf(service, id)).filter(({ type }) => type === "report.sealed")
    expect(used.find(({ data }) => data.language === "de")?.data.sha256).toBe(sha256(later.bytes))
    expect((await report(service.caller, id, "rm")).status).toBe(400)
  })

  it("says of a bad document that it is bad, with its pictures; and of production what production trusts", async () => {
    const changed = changedAfterwards(signed, "Another sum.")
    const id = await validated(changed)
    const bad = await report(service.caller, id)
    const text = await words(bad.bytes)
    expect(text).toContain("TOTAL-FAILED")
    expect(text).toContain("Pages that look different")
    expect(text.replaceAll(" ", "")).toContain(sha256(changed))

    const serious = await sealed(service.production, contractPdf("In earnest."))
    const good = await report(service.production, await validated(serious, service.production))
    const said = await words(good.bytes)
    expect(said).toContain("Valid (TOTAL-PASSED)")
    expect(said).not.toMatch(/demo/i)
    const [sealer] = sealersOf(good.bytes)
    expect(sealer?.commonName).toMatch(/ Service seal \d+$/)
    expect(sealer?.commonName).not.toContain("demo")
    const theirs = await validate(service.production, good.bytes)
    expect(theirs.body.valid).toBe(true)
    // What a demo key had sealed is worth nothing to production.
    expect((await validate(service.production, bad.bytes)).body.valid).toBe(false)
  })

  it("names the document in the report for machines too", async () => {
    const { bytes } = await service.caller.get(`${AT}/reports/${await validated()}/etsi`)
    expect(bytes.toString()).toContain(`sha256="${sha256(signed)}" size="${signed.length}"`)
  })

  it("[VAL-08] of somebody else's validation is answered like one that nothing has, and nothing is sealed", async () => {
    const id = await validated()
    const other = await addUser(service, "stranger", { business: await addBusiness(service, "Beta AG") })
    const strangers = [
      other,
      service.production,
      await addUser(service, "colleague"),
      await memberApi(service, "owner"),
    ]
    for (const who of strangers) {
      const [theirs, nobodys] = [await report(who, id), await report(who, NOBODY)]
      expect([theirs.status, nobodys.status]).toEqual([404, 404])
      expect(theirs.body.detail).toBe(nobodys.body.detail)
    }
    expect(await rows(id)).toBe("0")
    // One that is made is no more theirs.
    expect((await report(service.caller, id)).status).toBe(200)
    for (const who of strangers) expect((await report(who, id)).status).toBe(404)
    const without = await call(service.url, "GET", `${AT}/reports/${id}/pdf`, undefined, {})
    expect([without.status, without.body.key]).toEqual([401, "error.auth.token_invalid"])
  })

  it("goes with its validation: by DELETE, and after ten minutes", async () => {
    const [deleted, over] = [await validated(), await validated()]
    for (const id of [deleted, over]) expect((await report(service.caller, id)).status).toBe(200)
    expect((await service.caller.delete(`${AT}/validate/${deleted}`)).status).toBe(204)
    expect((await report(service.caller, deleted)).status).toBe(404)
    expect(await rows(deleted)).toBe("0")
    service.moveClock(TEN_MINUTES + 1_000)
    expect((await report(service.caller, over)).status).toBe(404)
    await until("it is swept", async () => (await rows(over)) === "0")
    service.moveClock(0)
  })

  it("lies in the database sealed; whoever can write there gets no seal for a kind, a language or words of their own", async () => {
    const id = await validated()
    const { bytes } = await report(service.caller, id)
    const lies = await service.sql(
      `select encode(pdf, 'hex') from validation_report where validation_id = '${id}'`,
    )
    expect(lies).not.toContain(bytes.subarray(0, 8).toString("hex"))
    await service.sql(
      `insert into validation_report select validation_id, business_id, 'de', pdf, key_version, null, ordered_at
         from validation_report where validation_id = '${id}' and language = 'en'`,
    )
    // Told in no description: it is no answer that anybody should count on.
    await expect(report(service.caller, id, "de")).rejects.toThrow("status 500")

    const other = await validated()
    await service.sql(`update validation set kind = 'production' where id = '${other}'`)
    await expect(report(service.production, other)).rejects.toThrow("status 500")
    expect(await rows(other)).toBe("0")
  })
})

describe("the sealed report, where whoever seals is away", { timeout: 300_000 }, () => {
  let service: SealingService
  let signed: Buffer
  let worker: ServerProcess
  beforeAll(async () => {
    service = await startSealing({ validation: true, worker: false, env: { SEAL_WAIT_SECONDS: "2" } })
    worker = await service.startWorker()
    signed = await until("something is sealed", () =>
      sealed(service.caller, contractPdf("Sealed.")).catch(() => false as const),
    )
    await worker.kill()
  }, 300_000)
  afterAll(() => service?.close())

  const made = (id: string, lang?: string) =>
    until(
      "it is sealed",
      async () => {
        const answer = await report(service.caller, id, lang)
        return answer.status === 200 && answer
      },
      90_000,
    )

  it("answers 503 and when to come back; then it is there", async () => {
    const { body } = await validate(service.caller, signed)
    const answer = await report(service.caller, body.id)
    expect([answer.status, answer.headers.get("retry-after"), answer.body.detail]).toEqual([
      503,
      "10",
      "The report was not sealed in time.",
    ])
    // However often it is asked for, it is ordered once.
    await report(service.caller, body.id)
    expect(await service.sql("select count(*) from jobs.job where name = 'seal-report'")).toBe("1")
    // One whose validation goes meanwhile is sealed for nobody.
    const gone = await validate(service.caller, signed)
    await report(service.caller, gone.body.id)
    await service.caller.delete(`${AT}/validate/${gone.body.id}`)
    worker = await service.startWorker()
    await made(body.id)
    await until(
      "both jobs are over",
      async () =>
        (await service.sql(
          "select count(*) from jobs.job where name = 'seal-report' and state <> 'completed'",
        )) === "0",
    )
    expect(await service.sql("select count(*) from evidence where type = 'report.sealed'")).toBe("1")
    await worker.kill()
  })

  it("whoever is killed with a sealed report in hand leaves nothing; the next one seals it, and it stays so", async () => {
    const { body } = await validate(service.caller, signed)
    const doomed = await service.startWorker({ FAULT_POINT: "report-sealed" })
    await Promise.all([report(service.caller, body.id, "fr"), doomed.died])
    expect(await doomed.died).toBe("SIGKILL")
    const sealedOnes = `select count(*) from evidence where request_id = '${body.id}'`
    expect(await service.sql(sealedOnes)).toBe("0")
    worker = await service.startWorker()
    const { bytes } = await made(body.id, "fr")
    expect((await report(service.caller, body.id, "fr")).bytes.equals(bytes)).toBe(true)
    expect(await service.sql(sealedOnes)).toBe("1")
    await worker.kill()
  })

  it("says what is lacking, and seals as soon as it is there again", async () => {
    const nobody = `http://127.0.0.1:${await freePort()}/`
    const doomed = await service.startWorker({ TIMESTAMP_URLS: nobody })
    const { body } = await validate(service.caller, signed)
    const told = await until("it says why", async () => {
      const answer = await report(service.caller, body.id, "it")
      return answer.body.detail !== "The report was not sealed in time." && answer
    })
    expect([told.status, told.headers.get("retry-after"), told.body.detail]).toEqual([
      503,
      "10",
      "No time-stamping authority gave a time-stamp that can be relied upon.",
    ])
    await doomed.kill()
    const keyless = await service.startWorker({ PKCS11_DEMO_TOKEN: "no such token" })
    const other = await validate(service.caller, signed)
    const lacks = await until("it says why", async () => {
      const answer = await report(service.caller, other.body.id)
      return answer.body.detail !== "The report was not sealed in time." && answer
    })
    expect([lacks.status, lacks.body.detail]).toEqual([503, "The key that seals reports cannot be reached."])
    await keyless.kill()
    worker = await service.startWorker()
    await made(body.id, "it")
    await made(other.body.id)
  })
})

describe("the sealed report, where the operator brought a certificate and has no authority", () => {
  let trust: Trust
  let service: Service
  beforeAll(async () => {
    trust = await startTrust()
    const env = { ...trust.env, SEAL_WAIT_SECONDS: "100" }
    service = await startService({ validation: true, authorities: false, env })
  }, 300_000)
  afterAll(async () => {
    await service?.close()
    await trust?.close()
  })

  it("is sealed by that one, and told from what it signs by its reason", async () => {
    const { body } = await validate(service.caller, contractPdf())
    const { status, bytes } = await report(service.caller, body.id)
    expect(status).toBe(200)
    const { body: judged } = await validate(service.caller, bytes, "infos=signer")
    expect([judged.valid, judged.quality, judged.longTermValidation]).toEqual([true, "SES", true])
    expect(judged.additionalInfos.signer).toMatchObject([
      { optionalInfos: { name: SEALER, reason: `Report on validation ${body.id}` } },
    ])
    expect(sealersOf(bytes)).toMatchObject([{ commonName: SEALER }])
    expect(await words(bytes)).toContain(`Sealed by ${SEALER}`)
  }, 300_000)
})

const SEALER = "Paraph sandbox, demo signatures"
