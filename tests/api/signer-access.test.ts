import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, createApi, type Json, VERSIONS, type Version } from "../service/api.ts"
import { linkIn, linkMailedTo, mailsComeTo, mailsTo } from "../service/mailbox.ts"
import { addDays, dateThere, moveClockTo } from "../service/region-time.ts"
import { emailsOf, entry, FIVE, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, pressDoor, type Signer } from "../service/signer.ts"
import { storyOf } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { addUser } from "../service/users.ts"

let service: Service
let owner: Api
let reader: Api
beforeAll(async () => {
  service = await startService()
  const feature = ["--business", service.business, "--feature", "expires_at", "--on"]
  const [added] = await Promise.all([
    addUser(service, "reader"),
    service.paraph("admin", "set-feature", ...feature),
  ])
  reader = added
  owner = service.caller
})
afterAll(() => service?.close())

const read = async (v: Version, id: string): Promise<Json> =>
  (await owner.get(`/${v}/signature-requests/${id}`)).body
const statusIs = (v: Version, id: string, status: string) =>
  until(`${id} is ${status}`, async () => (await read(v, id)).status_overall === status)
const isDone = (signer: Signer) =>
  until("the signature is made", async () => (await signer.view()).body.screen === "done")
/** Entries of somebody without an account, who is known by identity data and has a mailbox as well. */
const known = (v: Version, email: string, place?: number) =>
  entry(v, email, { signer_identity_data: FIVE, ...(place !== undefined && { place }) })

describe("a preview", () => {
  it.each(VERSIONS)(
    "[URL-08] %s: is for looking alone, and the evidence tells it from an opened mail",
    async (v) => {
      const who = newAddress("previewed")
      const documentId = await uploadTo(owner, v)
      const { id, signatures } = await openRequest(owner, v, documentId, {
        signatures: [known(v, who)],
      })
      const evidence = async () =>
        (await storyOf(service, id)).flatMap(({ type, data }) => {
          if (type === "signature.opened") return [`${type} through ${data.through ?? "the mail"}`]
          return type === "signature.signed" ? [type] : []
        })
      const link = await linkMailedTo(who)
      const preview = await openSession(service.url, signatures[0].signing_url)
      expect((await preview.view()).body).toMatchObject({
        screen: "preview",
        documents: [{ id: documentId }],
      })
      expect((await preview.content(documentId)).bytes.subarray(0, 5).toString()).toBe("%PDF-")
      expect((await preview.page(documentId)).headers.get("content-type")).toBe("image/webp")
      for (const { status } of [await preview.press("Ada Lovelace"), await preview.decline("No.")])
        expect(status).toBe(403)
      expect((await read(v, id)).signatures[0].status_code).toBe("OPEN")
      expect(await evidence()).toEqual(["signature.opened through preview"])

      // The same person by the mail: another session, which may sign; the one that only looks stays what it is.
      const signer = await openSession(service.url, link)
      expect((await signer.press("Ada Lovelace")).status).toBe(202)
      await isDone(signer)
      expect((await preview.decline("No.")).status).toBe(403)
      expect(await evidence()).toEqual([
        "signature.opened through preview",
        "signature.opened through the mail",
        "signature.signed",
      ])
      const again = await pressDoor(service.url, signatures[0].signing_url)
      expect([again.status, again.headers.get("set-cookie")]).toEqual([303, null])
    },
  )
})

describe("the same person twice", () => {
  it.each([
    ["v1", [undefined, undefined]],
    ["v2", [1, 2]],
    ["v3", [1, 2]],
  ] as const)(
    "[SR-12] %s: signs twice, by two links, and one signature says nothing of the other",
    async (v, places) => {
      const who = newAddress("twice")
      const documentId = await uploadTo(owner, v)
      const request = await openRequest(owner, v, documentId, {
        signatures: places.map((place) => known(v, who, place)),
      })
      expect(new Set(emailsOf(v, request)).size).toBe(2)
      const links = async () => (await mailsTo(who)).flatMap((mail) => linkIn(mail) ?? [])
      const states = async () => (await read(v, request.id)).signatures.map((s: Json) => s.status_code)

      await mailsComeTo(who, v === "v2" ? 1 : 2)
      const first = await firstThatOpens(await links())
      expect((await first.press("Ada Lovelace")).status).toBe(202)
      await isDone(first)
      expect((await states()).sort()).toEqual(["OPEN", "SIGNED"])
      expect((await read(v, request.id)).status_overall).toBe("OPEN")

      // In order, a mail comes when the turn does: in v2 the first one of that entry, in v3 one more.
      await mailsComeTo(who, v === "v3" ? 3 : 2)
      const second = await firstThatOpens((await links()).reverse())
      expect((await second.press("Ada Lovelace")).status).toBe(202)
      await isDone(second)
      await statusIs(v, request.id, "SIGNED")
      expect(await states()).toEqual(["SIGNED", "SIGNED"])
      const { document_id } = await read(v, request.id)
      const { bytes } = await owner.get(`/${v}/documents/${document_id}/content`)
      // Two signatures, and a time-stamp over both.
      expect(bytes.toString("latin1").match(/\/ByteRange\b/g)).toHaveLength(3)
      expect(bytes.toString("latin1").match(/\/DocTimeStamp\b/g)).toHaveLength(1)
      await until("it is told once", async () => {
        const subjects = (await mailsTo(who)).map(({ subject }) => subject)
        return subjects.filter((subject) => subject.startsWith("Signed:")).length === 1
      })
    },
  )

  async function firstThatOpens(links: readonly string[]): Promise<Signer> {
    for (const link of links) {
      const door = await pressDoor(service.url, link)
      if (door.headers.get("location") === "/app/") return openSession(service.url, link)
    }
    throw new Error("No link opens a session.")
  }
})

describe("when it has ended", () => {
  /** Three have opened it, and one has signed; `ending` is what the integrator, the second of them or the clock does. */
  async function ended(v: Version, more: object, ending: (id: string, second: Signer) => Promise<unknown>) {
    const mails = ["signed", "second", "third"].map(newAddress)
    const documentId = await uploadTo(owner, v)
    const access = { read_access: ["reader"] }
    expect((await owner.put(`/${v}/documents/${documentId}/access`, access)).status).toBe(200)
    const signatures = mails.map((email) => entry(v, email))
    const { id } = await openRequest(owner, v, documentId, { signatures, ...more })
    const signers = await Promise.all(
      mails.map(async (email) => openSession(service.url, await linkMailedTo(email))),
    )
    const [signed, second] = signers as [Signer, Signer]
    await signed.press("Ann Example")
    await isDone(signed)
    const newest = (await read(v, id)).document_id as string
    await ending(id, second)
    return { id, documentIds: [documentId, newest], signers, mails }
  }

  const withdraw = (v: Version) => async (id: string) =>
    expect((await owner.post(`/${v}/signature-requests/${id}/withdraw`, {})).status).toBe(200)
  const decline = async (_: string, second: Signer) => expect((await second.decline("No.")).status).toBe(200)

  it.each(
    VERSIONS.flatMap((v) => [
      // Decisions, "withdraw": signers lose access. Otherwise who has answered keeps what they have answered to.
      { v, status: "WITHDRAWN", ending: withdraw(v), theirs: [404, 404, 404] },
      { v, status: "DECLINED", ending: decline, theirs: [200, 200, 404] },
    ]),
  )("[ST-07] $v $status: owner and reader keep the documents, and of the signers who may", async (row) => {
    const { v, status, ending, theirs } = row
    await expectEnd(v, status, await ended(v, {}, ending), theirs)
  })

  it("[ST-06] [ST-07] EXPIRED: owner and reader keep the documents, and so does who has signed", async () => {
    const key = await service.paraph("admin", "create-key", "--user", "reader", "--kind", "demo")
    const login = async () => {
      owner = await createApi(service.url, service.username, service.demoKey)
      reader = await createApi(service.url, "reader", key["api-key"] ?? "")
    }
    // Two minutes before the end of the day, so that no session grows old meanwhile.
    const today = dateThere(Date.now() + 120_000)
    moveClockTo(service, today, "23:58:00")
    await login()
    const end = await ended("v3", { expires_at: today }, async () =>
      moveClockTo(service, addDays(today, 1), "00:00:01"),
    )
    await login()
    await expectEnd("v3", "EXPIRED", end, [200, 404, 404])
  })

  async function expectEnd(
    v: Version,
    status: string,
    { id, documentIds, signers, mails }: Awaited<ReturnType<typeof ended>>,
    theirs: readonly number[],
  ) {
    await statusIs(v, id, status)
    for (const documentId of documentIds) {
      // Nothing is taken from those whose documents they are.
      const path = `/${v}/documents/${documentId}`
      for (const api of [owner, reader]) expect((await api.get(`${path}/content`)).status).toBe(200)
      expect((await reader.delete(path)).status).toBe(403)
      for (const look of ["content", "page"] as const) {
        const seen = await Promise.all(signers.map(async (signer) => (await signer[look](documentId)).status))
        expect([look, seen]).toEqual([look, theirs])
      }
    }
    // The links of the mails tell how it ended, and open nothing any more.
    for (const email of mails) {
      const door = await pressDoor(service.url, await linkMailedTo(email))
      expect([door.status, door.headers.get("set-cookie")]).toEqual([409, null])
    }
  }
})
