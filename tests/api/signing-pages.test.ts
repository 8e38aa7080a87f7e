import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, type Json } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { newAddress, sentTo, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { pathOf } from "../service/signer.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { enter, invited, isDone, previewed, signAs } from "../service/visitor.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
  const feature = ["admin", "set-feature", "--business", service.business, "--on", "--feature"]
  await service.paraph(...feature, "expires_at")
})
afterAll(() => service?.close())

const look = (path: string, headers: Record<string, string> = {}) =>
  call(service.url, "GET", path, undefined, headers)

describe("the address that a signer is sent to", () => {
  const BACK = encodeURIComponent("https://app.example/done?order=7&x=ü")

  it("[URL-01] [URL-02] [URL-03] has exits behind it, in any case of letters, and they are gone from it after the door", async () => {
    const query = `EXITurl=${BACK}&ErrorURL=https%3A%2F%2Fapp.example%2Ferror&declineurl=https%3A%2F%2Fapp.example%2Fno&RedirectTimeout=5&hidedownload=true`
    const link = `${await invited(service)}?${query}`
    const { exits, hideDownload } = await (await enter(service, link)).view()
    const of = { host: "app.example", seconds: 10, ask: true }
    expect(exits).toEqual({
      success: { url: "https://app.example/done?order=7&x=%C3%BC", ...of },
      error: { url: "https://app.example/error", ...of },
      decline: { url: "https://app.example/no", ...of },
    })
    expect(hideDownload).toBe(true)
  })

  it("[URL-03] waits 45 seconds unless it says so, at least 10 and at most 90", async () => {
    const link = await invited(service)
    const seconds = async (more: string) =>
      (await (await enter(service, `${link}?exitURL=${BACK}${more}`)).view()).exits.success.seconds
    expect([
      await seconds(""),
      await seconds("&redirectTimeout=9"),
      await seconds("&redirectTimeout=10"),
      await seconds("&redirectTimeout=60"),
      await seconds("&redirectTimeout=91"),
      await seconds("&redirectTimeout=soon"),
    ]).toEqual([45, 10, 10, 60, 90, 45])
  })

  it("[URL-05] leads nowhere without them, and a bad one is as none", async () => {
    const link = await invited(service)
    const none = { success: null, error: null, decline: null }
    for (const query of [
      "",
      "?exitURL=javascript:alert(1)&errorURL=//evil.example&declineURL=/app/",
      "?exitURL=http://app.example&errorURL=https://bank.example%40evil.example&declineURL=data:x",
    ])
      expect((await (await enter(service, link + query)).view()).exits).toEqual(none)
    // To one's own machine, with a demo key.
    const local = await (await enter(service, `${link}?exitURL=http://localhost:3000/done`)).view()
    expect(local.exits.success.host).toBe("localhost:3000")
  })

  it("[R30] [B12] [URL-01] goes to listed origins by itself, and asks the person before any other, also where none is listed", async () => {
    const set = (origins: string) =>
      service.paraph("admin", "set-exit-origins", "--business", service.business, "--origins", origins)
    const link = `${await invited(service)}?exitURL=${BACK}&declineURL=https://other.example/`
    const person = await enter(service, link)
    const asks = async () => {
      const { success, decline } = (await person.view()).exits
      return [success.ask, decline.ask]
    }
    expect(await asks()).toEqual([true, true])
    await set("https://app.example,https://shop.example")
    expect(await asks()).toEqual([false, true])
    await expect(set("app.example")).rejects.toThrow()
    await set("none")
    expect(await asks()).toEqual([true, true])
  })

  it("[URL-04] picks the language; then what was chosen, what the sender said, and the browser's", async () => {
    const text = async (path: string, headers = {}) => (await look(path, headers)).bytes.toString()
    const link = new URL(await invited(service)).pathname
    const french = { "accept-language": "nl, fr-CH;q=0.8, de;q=0.5" }
    const opens = {
      en: "Open document",
      de: "Dokument öffnen",
      fr: "Ouvrir le document",
      it: "Apri il documento",
    }
    for (const [lang, words] of Object.entries(opens))
      expect(await text(`${link}?LANG=${lang}-CH`, french)).toContain(words)
    expect(await text(link, french)).toContain(opens.fr)
    expect(await text(`${link}?lang=xx`, french)).toContain(opens.fr)
    expect(await text(link)).toContain(opens.en)
    // Its links to the other languages keep all the rest of the address.
    expect(await text(`${link}?lang=de&exitURL=${BACK}`)).toContain(
      `href="${link}?exitURL=${BACK}&amp;lang=it"`,
    )

    const asked = await enter(service, `${link}?lang=de`, french)
    expect(await asked.view()).toMatchObject({ language: "de", consent: { language: "de" } })
    const chosen = await asked.post("/language", { language: "it" })
    expect([chosen.status, (await asked.view()).language]).toEqual([204, "it"])
    const cookie = /^[^;]+/.exec(chosen.headers.get("set-cookie") ?? "")?.[0] ?? ""
    expect(await text(link, { ...french, cookie })).toContain(opens.it)
    expect((await asked.post("/language", { language: "xx" })).status).toBe(400)
    // What the person agreed to is kept in the language in which it was read.
    await asked.post("/language", { language: "de" })
    expect((await signAs(asked)).status).toBe(202)
    const of = "from evidence where type = 'signature.consented' order by at desc limit 1"
    const story = await storyOf(service, await service.sql(`select request_id ${of}`))
    const consent = story.findLast(({ type }) => type === "signature.consented")
    expect(consent?.data).toMatchObject({ language: "de", through: "mailed link" })

    const italian = [{ account_email: newAddress("it"), language: "it" }]
    await service.caller.post("/v2/signature-requests", {
      title: "C",
      document_id: await uploadTo(service.caller, "v2"),
      signatures: italian,
    })
    const theirs = pathOf(await linkMailedTo(italian[0]?.account_email ?? ""))
    expect(await text(theirs, french)).toContain(opens.it)
    expect(await text(`${theirs}?lang=en`, french)).toContain(opens.en)
  })

  it("[URL-08] is another one than that of the request, and works for that signer alone", async () => {
    const { request, url, email } = await previewed(service)
    expect(url).not.toBe(request.signing_url)
    const person = await enter(service, url)
    expect((await person.view()).signer.email).toBe(email)
    const other = await previewed(service)
    const [{ id }] = (await person.view()).documents
    const stranger = await enter(service, other.url)
    expect((await stranger.get(`/documents/${id}/content`)).status).toBe(404)
    const last = url.at(-1) === "A" ? "B" : "A"
    expect((await look(new URL(url).pathname.slice(0, -1) + last)).status).toBe(404)
  })
})

describe("the door", () => {
  const door = async (link: string, headers = {}) => {
    const { status, bytes } = await look(pathOf(link), headers)
    return { status, text: bytes.toString().replaceAll("&#39;", "'") }
  }

  const DAYS_MS = 10 * 86_400_000
  const last = new Date(Date.now() + DAYS_MS)
  const lastDay = last.toISOString().slice(0, 10)
  const inWords = (tag: string) =>
    new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone: "UTC" }).format(new Date(lastDay))

  it("says who asks, for what, how many documents and until when, and nothing changes by looking", async () => {
    const email = newAddress("door")
    const made = await service.caller.post("/v3/signature-requests", {
      title: "Two papers",
      documents: [
        { id: await uploadTo(service.caller, "v3", "One") },
        { id: await uploadTo(service.caller, "v3", "Two") },
      ],
      expires_at: lastDay,
      signatures: [{ account_email: email }],
    })
    expect(made.status).toBe(200)
    await service.caller.post(`/v3/signature-requests/${made.body.id}/initiate`, undefined)
    const link = await linkMailedTo(email)
    const count = () =>
      service.sql("select (select count(*) from signer_session) + (select count(*) from evidence)")
    const before = await count()
    const pages = await Promise.all(Array.from({ length: 50 }, () => door(link)))
    expect(await count()).toBe(before)
    for (const words of [
      "Two papers",
      "2 documents",
      `to be signed by ${inWords("en-GB")}`,
      "TEST – no legal effect",
    ])
      expect(pages[0]?.text).toContain(words)
    expect((await door(link, { "accept-language": "de" })).text).toContain(`bis am ${inWords("de-CH")}`)
  })

  it("says what has become of it: a turn that comes later, signed, declined, withdrawn, unknown", async () => {
    const emails = [newAddress("one"), newAddress("two"), newAddress("three")]
    const request = await sentTo(service.caller, "v2", emails)
    const [one] = emails
    const first = await enter(service, await linkMailedTo(one ?? ""))
    expect((await first.view()).people.map((p: Json) => [p.state, p.place, p.own])).toEqual([
      ["open", 1, true],
      ["open", 2, false],
      ["open", 3, false],
    ])
    await signAs(first)
    await isDone(first)
    const again = await linkMailedTo(one ?? "")
    for (const words of ["You have signed", "See what you signed"])
      expect((await door(again)).text).toContain(words)
    expect((await (await enter(service, again)).view()).screen).toBe("done")
    const second = await linkMailedTo(emails[1] ?? "")
    expect((await enter(service, second).then((p) => p.view())).people[0]).toMatchObject({
      name: "Ada Lovelace",
    })
    const early = [
      { account_email: newAddress("early"), sequence: 1 },
      { account_email: newAddress("e"), sequence: 1 },
    ]
    for (const signature of early)
      await service.caller.post(`/v2/signature-requests/${request.id}/signatures`, signature)
    expect((await door(second)).text).toContain("2 people sign before you")
    await service.caller.post(`/v2/signature-requests/${request.id}/withdraw`, {})
    expect((await door(second)).text).toContain("The sender has withdrawn this request")
    // Decisions, "withdraw": who has signed loses access too.
    expect((await door(again)).text).not.toContain("See what you signed")

    const declined = await invited(service)
    const { status } = await (await enter(service, declined)).post("/signature/decline", { reason: "No." })
    expect([status, (await door(declined)).text.includes("This request was declined")]).toEqual([200, true])
    const unknown = await door(`${service.url}/sign/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`)
    expect([unknown.status, unknown.text.includes("This link does not work")]).toEqual([404, true])
    expect((await door(`${service.url}/preview/x`)).text.replaceAll("/preview/x", "")).toBe(
      (await door(`${service.url}/sign/x`)).text.replaceAll("/sign/x", ""),
    )
  })
})

describe("the headers of our pages", () => {
  it("[R25] keep referrers, frames, devices and other origins out; a business may name who frames its pages", async () => {
    const link = await invited(service)
    const person = await enter(service, link)
    const pages = async () => [await look(pathOf(link)), await look("/app/", { cookie: person.cookie })]
    for (const { headers } of [...(await pages()), await person.get("/signature")]) {
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin")
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin")
      expect(headers.get("permissions-policy")).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/)
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(headers.get("x-frame-options")).toBe("DENY")
    }
    const set = (origins: string) =>
      service.paraph("admin", "set-embed-origins", "--business", service.business, "--origins", origins)
    await set("https://portal.example")
    for (const { headers } of await pages()) {
      expect(headers.get("content-security-policy")).toContain("frame-ancestors https://portal.example")
      expect(headers.has("x-frame-options")).toBe(false)
    }
    const unknown = await look("/sign/x")
    expect(unknown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    await set("none")
    for (const { headers } of await pages())
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  })
})

describe("a date that has passed", () => {
  it("is told at the door", async () => {
    // Not today: late in the evening of UTC the day of the region is over already.
    const lastDay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const email = newAddress("late")
    const made = await service.caller.post("/v3/signature-requests", {
      title: "Late",
      document_id: await uploadTo(service.caller, "v3"),
      expires_at: lastDay,
      signatures: [{ account_email: email }],
    })
    await service.caller.post(`/v3/signature-requests/${made.body.id}/initiate`, undefined)
    const pathname = pathOf(await linkMailedTo(email))
    service.moveClock(3 * 86_400_000)
    await until("it has expired", async () =>
      (await look(pathname)).bytes.toString().includes("The time for signing is over"),
    )
    const day = new Intl.DateTimeFormat("fr-CH", { dateStyle: "long", timeZone: "UTC" }).format(
      new Date(lastDay),
    )
    expect((await look(`${pathname}?lang=fr`)).bytes.toString()).toContain(`jusqu’au ${day}`)
  })
})
