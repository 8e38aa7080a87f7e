import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { checkStory } from "@paraph/evidence/check-story"
import { readStory } from "@paraph/evidence/story"
import { readVerifierKey } from "@paraph/tlog/note-key"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, type Api, call, createApi, type Json } from "../service/api.ts"
import { qpdfFaults, textOf } from "../service/looks.ts"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { soundMail } from "../service/mime.ts"
import { passkeyHolder, signAdvanced } from "../service/release.ts"
import { newAddress, openRequest, sentTo, uploadTo } from "../service/requests.ts"
import { sealersOf } from "../service/sealed.ts"
import { type Service, startService } from "../service/service.ts"
import { freePort } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { nothingUnderWay } from "../service/under-way.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { validate } from "../service/validation.ts"

const run = promisify(execFile)
const NOBODY = "00000000-0000-4000-8000-000000000000"
const VERSIONS = ["v1", "v2", "v3"] as const
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const report = (api: Api, id: string, query = "", v = "v3"): Promise<Answer> =>
  api.get(`/${v}/signature-requests/${id}/report${query === "" ? "" : `?${query}`}`)
/** All its words on one line. */
const words = async (pdf: Uint8Array) => (await textOf(pdf)).join(" ").replace(/\s+/g, " ")

/** What is inside a PDF, as poppler finds it. */
async function attachedTo(pdf: Uint8Array): Promise<{ list: string; story: string }> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-report-"))
  try {
    const [file, out] = [join(folder, "report.pdf"), join(folder, "story.json")]
    await writeFile(file, pdf)
    const { stdout: list } = await run("pdfdetach", ["-list", file])
    await run("pdfdetach", ["-save", "1", "-o", out, file])
    return { list, story: await readFile(out, "utf8") }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe("the signature protocol", { timeout: 300_000 }, () => {
  let service: Service
  let production: Api
  const who = newAddress("ada")
  let signed: Json
  beforeAll(async () => {
    service = await startService({ validation: true, env: { SEAL_WAIT_SECONDS: "100" } })
    production = await createApi(service.url, service.username, service.productionKey)
    signed = await signedBy(service.caller, who, "Ada Lovelace")
  }, 300_000)
  afterAll(() => service?.close())

  const signedBy = async (api: Api, email: string, name: string): Promise<Json> => {
    const { id } = await sentTo(api, "v3", [email], { title: "Purchase of a bicycle" })
    const session = await openSession(service.url, await linkMailedTo(email))
    await session.press(name)
    return ended(api, id, "SIGNED")
  }
  const ended = (api: Api, id: string, status: string): Promise<Json> =>
    until(`it is ${status}`, async () => {
      const { body } = await api.get(`/v3/signature-requests/${id}`)
      return body.status_overall === status && body
    })
  /** The mails of the end are sent afterwards, and are events too. With a sealed protocol all of them are under a head. */
  const quiet = async (api: Api, id: string): Promise<Json> => {
    await until("the mail of its end is sent", async () => {
      const { body } = await report(api, id, "type=JSON")
      return body.protocol.events.some(({ type }: Json) => type === "mail.sent")
    })
    await report(api, id)
    return (await report(api, id, "type=JSON")).body
  }
  const keyOf = async (kind: "demo" | "production") =>
    readVerifierKey((await (await fetch(`${service.url}/log/${kind}/key`)).text()).trim())

  it("tells as JSON who, what, when, whence and with which certificate, and each event with its proof", async () => {
    const { protocol, story } = await quiet(service.caller, signed.id)
    const newest = signed.document_id
    const pdf = (await service.caller.get(`/v3/documents/${newest}/content`)).bytes
    expect(protocol).toMatchObject({
      signature_request_id: signed.id,
      kind: "demo",
      title: "Purchase of a bicycle",
      status_overall: "SIGNED",
      quality: "SES",
      people: [
        {
          name: "Ada Lovelace",
          name_established_by: "signer",
          email: who,
          state: "signed",
          consent: { language: "en", through: "mailed link" },
          ip_addresses: ["127.0.0.1"],
          certificates: [{ subject: expect.stringContaining("CN="), issuer: expect.stringContaining("CN=") }],
        },
      ],
      documents: [{ versions: [{ sha256: sha256(pdf), document_id: newest }] }],
    })
    const types = protocol.events.map(({ type }: Json) => type)
    for (const type of [
      "request.created",
      "request.started",
      "signature.invited",
      "signature.opened",
      "signature.consented",
      "mark.made",
      "signature.signed",
      "request.completed",
    ])
      expect(types).toContain(type)
    expect(protocol.events.map(({ seq }: Json) => seq)).toEqual(types.map((_: string, i: number) => i + 1))
    const { faults, events } = checkStory(story, await keyOf("demo"))
    expect(faults).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(types)
  })

  it("is a sealed PDF unless something else is asked for, with the whole story inside it, in every version", async () => {
    await quiet(service.caller, signed.id)
    const answers = await Promise.all(VERSIONS.map((v) => report(service.caller, signed.id, "", v)))
    const { status, headers, bytes } = answers[0] as Answer
    expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
      200,
      "application/pdf",
      'attachment; filename="signature-protocol.pdf"',
    ])
    expect(new Set(answers.map((answer) => sha256(answer.bytes))).size).toBe(1)
    expect(await qpdfFaults(bytes)).toBe("")
    const text = await words(bytes)
    for (const said of [
      "The person who was asked has signed.",
      "Made with a demo key, for tests only",
      "Purchase of a bicycle",
      "Ada Lovelace",
      who,
      "127.0.0.1",
      "typed by the person",
      "paraph verify",
      `${service.url}/log/demo/key`,
      signed.id,
    ])
      expect(text.replaceAll(" ", "")).toContain(said.replaceAll(" ", ""))
    const { list, story } = await attachedTo(bytes)
    expect(list).toContain("story.json")
    const { faults, events } = checkStory(readStory(story), await keyOf("demo"))
    expect(faults).toEqual([])
    const { body } = await report(service.caller, signed.id, "type=JSON")
    expect(events.map(({ seq, type }) => [seq, type])).toEqual(
      body.protocol.events.map(({ seq, type }: Json) => [seq, type]),
    )
    const { body: judged } = await validate(
      service.caller,
      bytes,
      "infos=validation&infos=signer&infos=format",
    )
    expect(judged).toMatchObject({
      valid: true,
      signatures: 1,
      longTermValidation: true,
      additionalInfos: {
        validation: { indication: "TOTAL-PASSED" },
        format: { quality: "PDF/A-3A" },
        signer: [{ optionalInfos: { reason: `Protocol of signature request ${signed.id}` } }],
      },
    })
    expect(sealersOf(bytes)[0]?.commonName).toMatch(/ Service seal \d+$/)
  })

  it("is the same bytes until something happens, and leaves no evidence of itself; then it is a longer one", async () => {
    const { id } = await sentTo(service.caller, "v3", [newAddress("bea")])
    const before = await until("the invitation is told", async () => {
      const { body } = await report(service.caller, id, "type=JSON")
      return body.protocol.events.some(({ type }: Json) => type === "signature.invited") && body
    })
    const many = await Promise.all(Array.from({ length: 4 }, () => report(service.caller, id, "lang=de")))
    const again = await report(service.caller, id.toUpperCase(), "type=PDF&lang=de")
    expect(new Set([...many, again].map(({ bytes }) => sha256(bytes))).size).toBe(1)
    const jobs = "select count(*) from jobs.job where name = 'seal-protocol' and data->>'requestId' = "
    expect(await service.sql(`${jobs}'${id}'`)).toBe("1")
    const between = (await report(service.caller, id, "type=JSON")).body
    expect(between.protocol.events.length).toBe(before.protocol.events.length)
    await service.caller.post(`/v3/signature-requests/${id}/withdraw`, { message: "A mistake." })
    const after = await report(service.caller, id, "lang=de")
    expect(sha256(after.bytes)).not.toBe(sha256(again.bytes))
    const text = await words(after.bytes)
    expect(text).toContain("Die Anfrage wurde zurückgezogen (Mitteilung: A mistake.; durch: acme-")
    expect(await words(again.bytes)).not.toContain("zurückgezogen")
    // One row for each language, which is the newest.
    expect(await service.sql(`select count(*) from request_protocol where request_id = '${id}'`)).toBe("1")
  })

  it("says each thing in four languages, as the address or the browser asks", async () => {
    const titles = {
      en: "Signature protocol",
      de: "Signaturprotokoll",
      fr: "Protocole de signature",
      it: "Protocollo di firma",
    }
    for (const [lang, title] of Object.entries(titles)) {
      const { bytes } = await report(service.caller, signed.id, `lang=${lang}`)
      const text = await words(bytes)
      expect(text).toContain(title)
      // No type of event is left without words.
      expect(text).not.toMatch(/\b(?:request|signature|mark|mail)\.[a-z]/)
      const page = await report(service.caller, signed.id, `type=HTML&lang=${lang}`)
      expect(page.bytes.toString()).toContain(`<html lang="${lang}">`)
    }
    const path = `/v3/signature-requests/${signed.id}/report?type=HTML`
    const asked = await service.caller.get(path, { "accept-language": "fr-CH,de;q=0.5" })
    expect(asked.bytes.toString()).toContain('<html lang="fr">')
    expect((await report(service.caller, signed.id, "lang=rm")).status).toBe(400)
    expect((await report(service.caller, signed.id, "type=XML")).status).toBe(400)
  })

  it("is a page without script that shows what people wrote as text", async () => {
    const title = '<script>alert("1")</script> & <b>'
    const { id } = await sentTo(service.caller, "v3", [newAddress("eve")], { title })
    const { headers, bytes } = await report(service.caller, id, "type=HTML")
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const page = bytes.toString()
    expect(page).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;b&gt;")
    expect(page).not.toMatch(/<script|<img|<link|https?:\/\/(?!127\.0\.0\.1|localhost)/)
  })

  it("of an advanced signature says how the name was established, and with what the key was released", async () => {
    const email = newAddress("grace")
    const holder = await passkeyHolder(service, email, "Grace Hopper")
    const { id } = await sentTo(service.caller, "v3", [email], { quality: "AES" })
    await signAdvanced(service, email, holder)
    await ended(service.caller, id, "SIGNED")
    const { body } = await report(service.caller, id, "type=JSON")
    expect(body.protocol.people).toMatchObject([
      {
        name: "Grace Hopper",
        name_established_by: "account",
        factors: [{ kind: "passkey" }],
        certificates: [{ subject: expect.stringContaining("Grace Hopper") }],
      },
    ])
    const text = await words((await report(service.caller, id, "lang=it")).bytes)
    expect(text).toContain("quello del conto")
    expect(text).toContain("La chiave è stata distrutta.")
  })

  it("[DOC-13] is for whoever may read the request, of its kind; to all others there is none, and nothing is sealed", async () => {
    const reader = await addUser(service, "reader")
    const { id } = await sentTo(service.caller, "v3", [newAddress("kim")], { read_access: ["reader"] })
    const stranger = await addUser(service, "stranger", { business: await addBusiness(service, "Beta AG") })
    for (const api of [stranger, production, await addUser(service, "colleague")])
      for (const query of ["", "type=JSON", "type=HTML"]) {
        const [theirs, nobodys] = [await report(api, id, query), await report(api, NOBODY, query)]
        expect([theirs.status, nobodys.status]).toEqual([404, 404])
        expect(theirs.body.detail).toBe(nobodys.body.detail)
      }
    expect(await service.sql(`select count(*) from request_protocol where request_id = '${id}'`)).toBe("0")
    for (const query of ["", "type=JSON", "type=HTML"])
      expect((await report(reader, id, query)).status).toBe(200)
    const without = await call(service.url, "GET", `/v3/signature-requests/${id}/report`, undefined, {})
    expect(without.status).toBe(401)
  })

  it("of production is sealed by its key and proved by its log, and says nothing of demo", async () => {
    const email = newAddress("rosa")
    const { id } = await signedBy(production, email, "Rosa Luxemburg")
    const { bytes } = await report(production, id)
    expect(await words(bytes)).not.toMatch(/demo/i)
    const { story } = await attachedTo(bytes)
    expect(checkStory(readStory(story), await keyOf("production")).faults).toEqual([])
    expect(checkStory(readStory(story), await keyOf("demo")).faults).toEqual([{ fault: "checkpoint" }])
    expect(sealersOf(bytes)[0]?.commonName).not.toContain("demo")
  })

  it("lies in the database sealed with the key of its story; another kind in a row gets no seal of that kind", async () => {
    const { bytes } = await report(service.caller, signed.id)
    const lies = await service.sql(
      `select encode(pdf, 'hex') from request_protocol where request_id = '${signed.id}' and language = 'en'`,
    )
    expect(lies).not.toContain(bytes.subarray(0, 8).toString("hex"))
    const { id } = await sentTo(service.caller, "v3", [newAddress("mallory")])
    // A job that has the whole request in its hands would write it back as it was.
    await nothingUnderWay(service, id)
    await service.sql(`update story set kind = 'production' where id = '${id}'`)
    await service.sql(`update signature_request set kind = 'production' where id = '${id}'`)
    const asked = production.get(`/v3/signature-requests/${id}/report`)
    await until(
      "a worker has refused it",
      async () =>
        (await service.sql(
          `select count(*) from jobs.job where name = 'seal-protocol' and state = 'retry' and data->>'requestId' = '${id}'`,
        )) === "1",
    )
    expect(
      await service.sql(
        `select count(*) from request_protocol where request_id = '${id}' and pdf is not null`,
      ),
    ).toBe("0")
    await service.sql(`update story set kind = 'demo' where id = '${id}'`)
    await service.sql(`update signature_request set kind = 'demo' where id = '${id}'`)
    // Put right again, it is made; and whoever asked with a production key has no longer anything to read.
    expect((await asked).status).toBe(404)
    expect((await report(service.caller, id)).status).toBe(200)
  })

  it("is mailed with the end where that is asked for, in the language of each reader, and made once for each", async () => {
    const [fay, copy, other] = [newAddress("fay"), newAddress("copy"), newAddress("other")]
    const more = { attach_on_success: ["SIGNATURE_PROTOCOL"], cc_email_addresses: [copy, other] }
    const signatures = [{ account_email: fay, language: "it" }]
    const { id } = await openRequest(service.caller, "v2", await uploadTo(service.caller, "v2"), {
      title: "Lease",
      signatures,
      ...more,
    })
    await (await openSession(service.url, await linkMailedTo(fay))).press("Fay Wray")
    const [, toFay] = await mailsComeTo(fay, 2)
    const [toCopy] = await mailsComeTo(copy)
    const [toOther] = await mailsComeTo(other)
    if (!toFay || !toCopy || !toOther) throw new Error("Somebody got no mail.")
    const mails = [
      await soundMail(toFay, "it-CH"),
      await soundMail(toCopy, "en"),
      await soundMail(toOther, "en"),
    ]
    expect(mails.map(({ attachments }) => attachments.map(({ filename }) => filename))).toEqual([
      ["Lease – Protocollo di firma.pdf"],
      ["Lease – Signature protocol.pdf"],
      ["Lease – Signature protocol.pdf"],
    ])
    const [inItalian, first, second] = mails.map(({ attachments }) =>
      Buffer.from(attachments[0]?.content as ArrayBuffer),
    )
    if (!inItalian || !first || !second) throw new Error("Nothing is attached.")
    expect(mails[0]?.text).toContain("Il protocollo di firma è allegato")
    expect(await words(inItalian)).toContain("La persona invitata ha firmato.")
    expect(await words(first)).toContain("Everybody had signed, and the request was complete.")
    expect(sha256(first)).toBe(sha256(second))
    const { story } = await attachedTo(inItalian)
    expect(checkStory(readStory(story), await keyOf("demo")).faults).toEqual([])
    const jobs = "select count(*) from jobs.job where name = 'seal-protocol' and data->>'requestId' = "
    expect(await service.sql(`${jobs}'${id}'`)).toBe("2")
  })

  it("[ERR-05 v3] is made so many times a minute for one key; what is made is read as often as one likes", async () => {
    const { id } = await sentTo(service.caller, "v3", [newAddress("pia")])
    await until("the invitation is told", async () => {
      const { body } = await report(service.caller, id, "type=JSON")
      return body.protocol.events.some(({ type }: Json) => type === "signature.invited")
    })
    const limited = await service.startApi({ PORT: String(await freePort()), PROTOCOLS_PER_KEY: "2" })
    try {
      const port = /"port":(\d+)/.exec(limited.log())?.[1]
      const api = await createApi(`http://localhost:${port}`, service.username, service.demoKey)
      const first = await report(api, id, "lang=en")
      // From the beginning of a window, so that it does not end while we look.
      service.moveClock(Number(first.headers.get("ratelimit-reset")) * 1000)
      for (const lang of ["de", "it"]) expect((await report(api, id, `lang=${lang}`)).status).toBe(200)
      for (const lang of ["en", "de", "en"]) expect((await report(api, id, `lang=${lang}`)).status).toBe(200)
      const { status, headers, body } = await report(api, id, "lang=fr")
      expect([status, body.key]).toEqual([429, "error.rate_limit.exceeded"])
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
      expect(headers.get("ratelimit-limit")).toBe("2")
      const rows = `select string_agg(language, ' ' order by language) from request_protocol where request_id = '${id}'`
      expect(await service.sql(rows)).toBe("de en it")
      expect(
        await service.sql(
          `select count(*) from jobs.job where data->>'requestId' = '${id}' and data->>'language' = 'fr'`,
        ),
      ).toBe("0")
      // What is not sealed is a read like any other.
      for (const type of ["JSON", "HTML"]) expect((await report(api, id, `type=${type}`)).status).toBe(200)
      expect(sha256((await report(api, id, "lang=en")).bytes)).toBe(sha256(first.bytes))
      // Something happens: who may not have it made anew does not take from others what was made before.
      await service.caller.post(`/v3/signature-requests/${id}/withdraw`, {})
      expect((await report(api, id, "lang=en")).status).toBe(429)
      expect(
        await service.sql(
          `select count(*) from request_protocol where request_id = '${id}' and pdf is not null`,
        ),
      ).toBe("3")
    } finally {
      await limited.stop()
    }
  })

  it("goes with its request", async () => {
    const { id } = await sentTo(service.caller, "v3", [newAddress("otto")])
    expect((await report(service.caller, id)).status).toBe(200)
    expect((await service.caller.delete(`/v3/signature-requests/${id}`)).status).toBe(204)
    expect((await report(service.caller, id)).status).toBe(404)
    expect(await service.sql(`select count(*) from request_protocol where request_id = '${id}'`)).toBe("0")
  })
})
