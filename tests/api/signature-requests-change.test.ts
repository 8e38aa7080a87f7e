import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Json, VERSIONS, type Version } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
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
import { openSession, pathOf, pressDoor } from "../service/signer.ts"
import { until } from "../service/until.ts"

const JOBS = "select count(*) from jobs.job where state < 'completed'"
const DAY_MS = 86_400_000
/** A date of the region, so many days from now. */
const dayIn = (days: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Zurich" }).format(Date.now() + days * DAY_MS)

describe("changing signature requests", () => {
  let service: Service
  let documentId: string
  beforeAll(async () => {
    service = await startService()
    documentId = await uploadTo(service.caller, "v2")
  })
  afterAll(() => service?.close())

  const path = (v: Version, id: string, rest = "") => `/${v}/signature-requests/${id}${rest}`
  const read = async (v: Version, id: string): Promise<Json> => (await service.caller.get(path(v, id))).body
  const open = (v: Version, more: object = {}) => openRequest(service.caller, v, documentId, more)
  const post = (v: Version, id: string, action: string, body?: unknown) =>
    service.caller.post(path(v, id, `/${action}`), body)
  const mailCount = (address: string, count: number) =>
    expect.poll(() => mailsTo(address), { timeout: 150_000 }).toHaveLength(count)
  const setFeature = (on: boolean) =>
    service.paraph(
      ...["admin", "set-feature", "--business", service.business],
      ...["--feature", "expires_at", on ? "--on" : "--off"],
    )

  it.each(VERSIONS)("[SR-24] %s: PUT and PATCH change what is there, and leave what is absent", async (v) => {
    const before = await open(v, {
      message: "old",
      custom: "c",
      callback_success_url: "https://a.example/s",
      callback_error_url: "https://a.example/e",
      read_access: ["r"],
      signatures: [entry(v, newAddress("old"))],
    })
    const put = await service.caller.put(`/${v}/signature-requests`, {
      id: before.id,
      title: "New",
      message: null,
      callback_error_url: null,
      callback_update_url: "https://a.example/u",
      attach_on_success: ["SIGNATURE_PROTOCOL"],
      ...(v !== "v3" && { cc_email_addresses: ["cc@example.org"] }),
    })
    expect(put.status).toBe(200)
    expect(put.body).toEqual({
      ...before,
      title: "New",
      message: null,
      callback_error_url: null,
      callback_update_url: "https://a.example/u",
      attach_on_success: ["SIGNATURE_PROTOCOL"],
      ...(v !== "v3" && { cc_email_addresses: ["cc@example.org"] }),
      updated_at: put.body.updated_at,
    })
    expect(put.body.updated_at > before.updated_at).toBe(true)
    const signer = newAddress("new")
    const patched = await service.caller.patch(path(v, before.id), {
      custom: null,
      quality: "QES",
      legislation: "EIDAS",
      read_access: [],
      write_access: ["w"],
      signatures: [entry(v, signer, { place: 4 })],
    })
    expect(patched.body).toMatchObject({ title: "New", custom: null, quality: "QES", read_access: [] })
    expect(emailsOf(v, patched.body)).toEqual([signer])
    expect(await read(v, before.id)).toEqual(patched.body)
    await mailCount(signer, 1)
  })

  it.each(VERSIONS)(
    "[SR-24] %s: an update is refused as a create is, and changes nothing then",
    async (v) => {
      const before = await open(v)
      const bad = [
        { title: "" },
        { title: null },
        { quality: "QES", legislation: null },
        { quality: "XES" },
        { callback_error_url: "http://a.example/" },
        { read_access: "x" },
        { signatures: [{}] },
        { custom: "x".repeat(10_001) },
        { title: "changed", signatures: [{ signer_identity_data: { ...FIVE, provider: "unheard_of" } }] },
        ...(v === "v3" ? [{ owner: "x" }, { cc_email_addresses: [] }] : []),
      ]
      for (const change of bad) {
        const answers = await Promise.all([
          service.caller.patch(path(v, before.id), change),
          service.caller.put(`/${v}/signature-requests`, { id: before.id, ...change }),
        ])
        expect([change, ...answers.map(({ status }) => status)]).toEqual([change, 400, 400])
      }
      expect(await read(v, before.id)).toEqual(before)
      expect((await service.caller.put(`/${v}/signature-requests`, { title: "x" })).status).toBe(400)
      const unknown = { id: randomUUID(), title: "x" }
      expect((await service.caller.put(`/${v}/signature-requests`, unknown)).status).toBe(404)
    },
  )

  it.each(VERSIONS)(
    "[SR-24] %s: If-Match keeps two who change at once from overwriting each other",
    async (v) => {
      const { id } = await open(v)
      const etag = (await service.caller.get(path(v, id))).headers.get("etag") ?? ""
      const titles = ["left", "right"]
      const both = await Promise.all(
        titles.map((title) => service.caller.patch(path(v, id), { title }, { "if-match": etag })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
      const kept = titles[both.findIndex(({ status }) => status === 200)]
      expect((await read(v, id)).title).toBe(kept)
      const any = await service.caller.patch(path(v, id), { title: "any" }, { "if-match": "*" })
      expect([any.status, any.body.title]).toEqual([200, "any"])
      const put = await service.caller.put(
        `/${v}/signature-requests`,
        { id, title: "x" },
        { "if-match": '"x"' },
      )
      expect(put.status).toBe(412)
    },
  )

  it.each(VERSIONS)(
    "[SR-17] %s: one who is added is written to at once, and reads it when the turn is later",
    async (v) => {
      const { id } = await open(v)
      const [first, later] = [newAddress("first"), newAddress("later")]
      expect((await post(v, id, "signatures", entry(v, first, { place: 1 }))).status).toBe(200)
      const added = await post(v, id, "signatures", entry(v, later, { place: 2 }))
      expect(emailsOf(v, added.body)).toEqual([first, later])
      await Promise.all([mailCount(first, 1), mailCount(later, 1)])
      expect((await mailsTo(later))[0]?.text).toContain("Others sign before you.")
      expect((await mailsTo(first))[0]?.text).not.toContain("Others sign before you.")
      for (const bad of [
        {},
        entry(v, "nobody"),
        entry(v, first, { place: -2 }),
        undefined,
        [entry(v, first)],
      ])
        expect((await post(v, id, "signatures", bad)).status).toBe(400)
      expect((await post(v, randomUUID(), "signatures", entry(v, first))).status).toBe(404)
    },
  )

  it("[SR-17 v3] [SR-18 v3] one who is added to a DRAFT hears of it when it is initiated, with all the others", async () => {
    const [first, later, silent] = [newAddress("first"), newAddress("later"), newAddress("silent")]
    const draft = await createRequest(service.caller, "v3", documentId, {
      signatures: [entry("v3", first, { place: 1 })],
    })
    const { id } = draft.body
    const added = await post("v3", id, "signatures", entry("v3", later, { place: 2 }))
    expect(added.body.status_overall).toBe("DRAFT")
    await post("v3", id, "signatures", entry("v3", silent, { notify: false }))
    const opened = await post("v3", id, "initiate")
    expect([opened.status, opened.body.status_overall]).toEqual([200, "OPEN"])
    await Promise.all([mailCount(first, 1), mailCount(later, 1)])
    expect((await mailsTo(later))[0]?.text).toMatch(/turn/)
    expect(await mailsTo(silent)).toEqual([])
    const again = await post("v3", id, "initiate")
    expect([again.status, again.body.key]).toEqual([400, "error.sr.invalid_state"])
    expect((await post("v3", randomUUID(), "initiate")).status).toBe(404)

    const signer = await openSession(service.url, linkOf(await mailsTo(first)))
    expect((await signer.press("First Person")).status).toBe(202)
    await mailCount(later, 2)
  })

  it.each(VERSIONS)("%s: removes a signer who has not signed, and nobody else", async (v) => {
    const people = [newAddress("stays"), newAddress("goes")]
    const { id, signatures } = await open(v, { signatures: people.map((who) => entry(v, who)) })
    const gone = await service.caller.delete(path(v, id, `/signatures/${signatures[1].sid}`))
    expect([gone.status, gone.bytes.length]).toEqual([204, 0])
    expect(emailsOf(v, await read(v, id))).toEqual([people[0]])
    expect((await service.caller.delete(path(v, id, `/signatures/${signatures[1].sid}`))).status).toBe(404)
    expect((await service.caller.delete(path(v, id, "/signatures/x"))).status).toBe(400)
  })

  it.each(VERSIONS)("[SR-19] %s: reminds those whose turn it is, once an hour", async (v) => {
    const [first, later] = [newAddress("now"), newAddress("later")]
    const { id, signatures } = await open(v, {
      signatures: [entry(v, first, { place: 1 }), entry(v, later, { place: 2 })],
    })
    await mailCount(first, 1)
    // In v3 everybody hears of it at the start; nobody is reminded before the turn.
    const mailsOfLater = v === "v3" ? 1 : 0
    await mailCount(later, mailsOfLater)
    const reminded = await post(v, id, "remind")
    expect([reminded.status, reminded.body.id]).toEqual([200, id])
    await mailCount(first, 2)
    for (const body of [undefined, {}, { sids: [signatures[0].sid] }]) {
      const again = await post(v, id, "remind", body)
      expect([again.status, again.body.key]).toEqual([429, "error.rate_limit.reminder"])
      const wait = Number(again.headers.get("retry-after"))
      expect(wait).toBeGreaterThan(3_000)
      expect(wait).toBeLessThanOrEqual(3_600)
    }
    for (const bad of [{ sids: [] }, { sids: ["x"] }, { sids: signatures[0].sid }, []])
      expect((await post(v, id, "remind", bad)).status).toBe(400)
    expect((await post(v, id, "remind", { sids: [randomUUID()] })).status).toBe(404)
    expect(await mailsTo(first)).toHaveLength(2)
    expect(await mailsTo(later)).toHaveLength(mailsOfLater)
  })

  it("[R11] of 100 reminders at once one is sent", async () => {
    const signer = newAddress("hundred")
    const { id } = await open("v2", { signatures: [entry("v2", signer)] })
    await mailCount(signer, 1)
    const answers = await Promise.all(Array.from({ length: 100 }, () => post("v2", id, "remind")))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(99)
    await mailCount(signer, 2)
    await until("no job is under way", async () => (await service.sql(JOBS)) === "0")
    expect(await mailsTo(signer)).toHaveLength(2)
  })

  it.each(VERSIONS)("[SR-20] %s: what is deleted is gone, and its documents follow", async (v) => {
    const own = await uploadTo(service.caller, v)
    const { id } = await openRequest(service.caller, v, own, { signatures: [entry(v, newAddress("lost"))] })
    const gone = await service.caller.delete(path(v, id), { "content-type": "application/json" })
    expect([gone.status, gone.bytes.length]).toEqual([204, 0])
    expect((await service.caller.get(path(v, id))).status).toBe(404)
    expect((await service.caller.delete(path(v, id))).status).toBe(404)
    expect((await service.caller.delete(path(v, randomUUID()))).status).toBe(404)
    const document = async () => (await service.caller.get(`/${v}/documents/${own}`)).status
    await expect.poll(document, { timeout: 150_000 }).toBe(404)
  })

  it.each(VERSIONS)("[ST-07] %s: WITHDRAWN is an end; reading and deletion remain", async (v) => {
    const who = newAddress("withdrawn")
    const { id, signatures } = await open(v, { signatures: [entry(v, who)] })
    await mailCount(who, 1)
    expect((await post(v, id, "withdraw", { message: "x".repeat(2049) })).status).toBe(400)
    const withdrawn = await post(v, id, "withdraw", { message: "A mistake." })
    expect([withdrawn.status, withdrawn.body.status_overall]).toEqual([200, "WITHDRAWN"])
    await mailCount(who, 2)
    const before = await read(v, id)
    const refused = await Promise.all([
      post(v, id, "withdraw"),
      post(v, id, "remind"),
      post(v, id, "signatures", entry(v, who)),
      service.caller.delete(path(v, id, `/signatures/${signatures[0].sid}`)),
      service.caller.patch(path(v, id), { title: "x" }),
      service.caller.put(`/${v}/signature-requests`, { id, signatures: [] }),
      ...(v === "v3" ? [post(v, id, "initiate"), post(v, id, "documents", { document_id: documentId })] : []),
    ])
    for (const { status, body } of refused)
      expect([status, body.key]).toEqual([400, "error.sr.invalid_state"])
    expect(await read(v, id)).toEqual(before)
    const page = await fetch(`${service.url}${pathOf(linkOf(await mailsTo(who)))}`)
    expect(await page.text()).toMatch(/has withdrawn this request/)
    expect((await service.caller.delete(path(v, id))).status).toBe(204)
  })

  it("[SR-22 v3] [SR-21 v3] an expiry date is for those who have the feature, on a DRAFT, and within its bounds", async () => {
    const draft = (more: object) => createRequest(service.caller, "v3", documentId, more)
    const expectFeature = ({ status, body }: Json) =>
      expect([status, body.type]).toEqual([403, `${service.url}/problem/feature-not-enabled`])
    const plain = (await draft({})).body.id
    expectFeature(await draft({ expires_at: dayIn(10) }))
    expectFeature(await service.caller.patch(path("v3", plain), { expires_at: dayIn(10) }))
    expectFeature(await service.caller.delete(path("v3", plain, "/expires-at")))

    await setFeature(true)
    for (const days of [0, 10, 170]) {
      const { status, body } = await draft({ expires_at: dayIn(days) })
      expect([status, body.expires_at]).toEqual([200, dayIn(days)])
    }
    for (const expires_at of [dayIn(-1), dayIn(190), "2026-02-30", "soon", 1])
      expect((await draft({ expires_at })).status).toBe(400)
    const set = await service.caller.put("/v3/signature-requests", { id: plain, expires_at: dayIn(3) })
    expect(set.body.expires_at).toBe(dayIn(3))
    const cleared = await service.caller.delete(path("v3", plain, "/expires-at"))
    expect(cleared.status).toBe(204)
    expect((await read("v3", plain)).expires_at).toBeNull()
    await service.caller.patch(path("v3", plain), { expires_at: dayIn(3) })
    expect((await service.caller.patch(path("v3", plain), { expires_at: null })).body.expires_at).toBeNull()

    await service.caller.patch(path("v3", plain), { expires_at: dayIn(3) })
    expect((await post("v3", plain, "initiate")).body.expires_at).toBe(dayIn(3))
    for (const { status, body } of [
      await service.caller.delete(path("v3", plain, "/expires-at")),
      await service.caller.patch(path("v3", plain), { expires_at: dayIn(4) }),
    ])
      expect([status, body.key]).toEqual([400, "error.sr.invalid_state"])
    await setFeature(false)
  })

  it("[SR-23 v3] [SR-21 v3] [SR-22 v3] auto_delete_at is told by the retention policy, and by nobody else", async () => {
    const retention = (days: string) =>
      service.paraph("admin", "set-retention", "--business", service.business, "--days", days)
    await setFeature(true)
    await retention("30")
    const { body } = await createRequest(service.caller, "v3", documentId, { expires_at: dayIn(29) })
    expect([body.auto_delete_at, body.expires_at]).toEqual([dayIn(30), dayIn(29)])
    const late = await createRequest(service.caller, "v3", documentId, { expires_at: dayIn(30) })
    expect(late.status).toBe(400)
    for (const change of [{ auto_delete_at: dayIn(1) }, { auto_delete_at: null }])
      expect((await service.caller.patch(path("v3", body.id), change)).status).toBe(400)
    await service.caller.delete(path("v3", body.id, "/expires-at"))
    expect(await read("v3", body.id)).toMatchObject({ expires_at: null, auto_delete_at: dayIn(30) })
    await retention("none")
    await setFeature(false)
  })

  it("[SR-25] a request keeps at least one document, in every version", async () => {
    const second = await uploadTo(service.caller, "v3")
    const first = await uploadTo(service.caller, "v3")
    const { id } = (await createRequest(service.caller, "v3", first)).body
    const remove = (documentId: string) => service.caller.delete(path("v3", id, `/documents/${documentId}`))
    const last = async (answer: Json) =>
      expect([answer.status, answer.body.key]).toEqual([400, "error.sr.last_document_cannot_be_removed"])
    await last(await remove(first))
    const added = await post("v3", id, "documents", { document_id: second })
    expect(added.body.documents.map((one: Json) => one.id)).toEqual([first, second])
    expect((await remove(randomUUID())).status).toBe(404)
    expect((await remove(first)).status).toBe(204)
    expect(await read("v3", id)).toMatchObject({ documents: [{ id: second }], document_id: second })
    await last(await remove(second))
    expect((await post("v3", id, "documents", { document_id: randomUUID() })).status).toBe(404)
    expect((await post("v3", id, "documents", {})).status).toBe(400)
    await post("v3", id, "initiate")
    for (const answer of [await remove(second), await post("v3", id, "documents", { document_id: first })])
      expect([answer.status, answer.body.key]).toEqual([400, "error.sr.invalid_state"])
    for (const v of VERSIONS) {
      const own = await uploadTo(service.caller, v)
      await openRequest(service.caller, v, own)
      await last(await service.caller.delete(`/${v}/documents/${own}`))
    }
  })

  it.each(VERSIONS)(
    "[R06] [URL-08] %s: the address in an entry is another one than the request's, and works for that signer only",
    async (v) => {
      const request = await open(v, {
        signatures: [{ signer_identity_data: FIVE }, { signer_identity_data: FIVE }],
      })
      const [mine, theirs] = request.signatures.map((s: Json) => s.signing_url as string)
      expect(new Set([request.signing_url, mine, theirs]).size).toBe(3)
      for (let i = 0; i < 3; i += 1) {
        const page = await fetch(mine)
        expect([page.status, page.headers.get("set-cookie")]).toEqual([200, null])
      }
      const broken = mine.slice(0, -1) + (mine.endsWith("A") ? "B" : "A")
      for (const link of [broken, `${service.url}/preview/x`, mine.replace("/preview/", "/sign/")])
        expect([(await fetch(link)).status, (await pressDoor(service.url, link)).status]).toEqual([404, 404])

      // Whoever reads the answer has this address: it shows the document, and signs for nobody.
      const session = await openSession(service.url, mine)
      expect((await session.view()).body.screen).toBe("preview")
      for (const answer of [await session.press("Ada Lovelace"), await session.decline("no")])
        expect(answer.status).toBe(403)
      const { signatures } = await read(v, request.id)
      expect(signatures.map((s: Json) => [s.status_code, s.last_viewed_at === null])).toEqual([
        ["OPEN", false],
        ["OPEN", true],
      ])
      // The top-level address is for account holders: it asks for a login, and opens no session.
      const { pathname } = new URL(request.signing_url)
      const view = await fetch(request.signing_url, { redirect: "manual" })
      expect([view.status, view.headers.get("set-cookie")]).toEqual([303, null])
      expect(view.headers.get("location")).toBe(`/account/login?next=${encodeURIComponent(pathname)}`)
    },
  )
})

const linkOf = (mails: readonly { readonly text: string }[]): string =>
  /http\S+\/sign\/\S+/.exec(mails[0]?.text ?? "")?.[0] ?? ""
