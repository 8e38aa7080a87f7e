// AES over the pages' own calls: the signer's own key, made for one signature, released by a factor that is bound to it.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { codeOf, registered, withSecondFactor } from "../service/account.ts"
import type { Json } from "../service/api.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { askedToRelease, passkeyHolder, RELEASE, releaseWith, signAdvanced } from "../service/release.ts"
import { newAddress, sentTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { bySms, capturedSms, codeIn } from "../service/sms.ts"
import { toldBy } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { validate } from "../service/validation.ts"
import { enter, signAs } from "../service/visitor.ts"

const MINUTE_MS = 60_000
let service: Service
beforeAll(async () => {
  service = await startService({ validation: true })
}, 300_000)
afterAll(() => service?.close())

const read = async (id: string): Promise<Json> =>
  (await service.caller.get(`/v2/signature-requests/${id}`)).body
const isSigned = (id: string) =>
  until("it is signed", async () => (await read(id)).status_overall === "SIGNED", 240_000)
const contentOf = async (id: string) =>
  (await service.caller.get(`/v2/documents/${(await read(id)).document_id}/content`)).bytes
const evidenceOf = async (id: string) =>
  (await service.sql(`select type from evidence where request_id = '${id}' order by seq`)).trim().split("\n")
const keysLeft = () => service.sql("select count(*) from signer_key")
const sent = async (emails: readonly string[], more: object = {}) =>
  (await sentTo(service.caller, "v2", emails, { quality: "AES", ...more })).id as string

describe("an advanced signature", () => {
  it.each(["François Müller-Weiß", "Łukasz Dvořák", "Ayşe Ionuț Ñandú"])(
    "[SR-07] has %s in its certificate, whatever was typed, and is judged good by others",
    async (name) => {
      const email = newAddress("aes")
      const holder = await passkeyHolder(service, email, name)
      const id = await sent([email])
      const session = await signAdvanced(service, email, holder)
      await isSigned(id)
      const verdict = await judge(await contentOf(id))
      expect(verdict.signers).toEqual([name])
      expect(verdict.pdfsig).toEqual(["Signature is Valid."])
      expect(verdict.pyhanko.filter((one) => one.field.startsWith("Paraph-"))).toMatchObject([
        { valid: true, intact: true, trusted: true },
      ])
      expect((await session.view()).body.screen).toBe("done")
      const own = await validate(service.caller, await contentOf(id), "infos=signer")
      expect(own.body).toMatchObject({ valid: true, quality: "AES" })
      expect(own.body.additionalInfos.signer).toMatchObject([{ signer: name, quality: "AES" }])
    },
    120_000,
  )

  it("keeps the story as evidence, and destroys the key when its value is on record", async () => {
    const email = newAddress("story")
    const holder = await passkeyHolder(service, email)
    const id = await sent([email])
    await signAdvanced(service, email, holder)
    await isSigned(id)
    const told = await evidenceOf(id)
    const story = ["signature.consented", "signature.turn-taken", "key.offered", "key.released"]
    expect(told.filter((type) => story.includes(type))).toEqual(story)
    expect(told.indexOf("key.destroyed")).toBeGreaterThan(told.indexOf("key.released"))
    expect(told.indexOf("mark.made")).toBeGreaterThan(told.indexOf("key.destroyed"))
    expect(await toldBy(service, id, "signature.turn-taken", "nameBy")).toEqual(["account"])
    expect((await keysLeft()).trim()).toBe("0")
  }, 300_000)

  it("is released by an authenticator app too, each code once, and never by a code that was written down", async () => {
    const email = newAddress("totp")
    const who = await registered(service.url, email)
    const { secret, recoveryCodes } = await withSecondFactor(who)
    const id = await sent([email])
    const session = await openSession(service.url, await linkMailedTo(email))
    await session.press("Ada Lovelace")
    const { binding } = await askedToRelease(session)
    const by = (code: string, of = binding) => session.post(`${RELEASE}/code`, { code, binding: of })
    expect((await by(recoveryCodes[0] ?? "")).status).toBe(400)
    expect((await by(codeOf(secret), "0".repeat(64))).body.key).toBe("error.signature.release_over")
    expect((await by("000000")).status).toBe(400)
    expect((await by(codeOf(secret))).status).toBe(202)
    await isSigned(id)
    expect((await by(codeOf(secret))).status).toBe(409)
  }, 300_000)

  it("[SR-14] is released by a code to the telephone of somebody without an account, under the name that was stated", async () => {
    const { url, request } = await bySms(service.caller, "v2", "+41 79 123 45 67", {
      request: { quality: "AES" },
    })
    const visitor = await enter(service, url)
    expect((await signAs(visitor)).status).toBe(403)
    await visitor.post("/signature/code")
    const [first] = await capturedSms(service.caller, request.id)
    expect((await visitor.post("/signature/code/check", { code: codeIn(first.text) })).status).toBe(200)
    expect((await visitor.view()).factor).toMatchObject({ name: "Ada Lovelace", kinds: ["sms"], setUp: null })
    expect((await signAs(visitor, "Somebody Else")).status).toBe(202)
    const { binding } = await until("it is offered", async () => (await visitor.view()).release)
    // The code of the first purpose is none of the second.
    const check = (code: string) => visitor.post(`${RELEASE}/sms/check`, { code, binding })
    expect((await check(codeIn(first.text))).body.key).toBe("error.code.locked")
    expect((await visitor.post(`${RELEASE}/sms`)).status).toBe(202)
    const [, second] = await capturedSms(service.caller, request.id, 2)
    expect((await check(codeIn(first.text))).status).toBe(400)
    expect((await check(codeIn(second.text))).status).toBe(202)
    await isSigned(request.id)
    expect((await judge(await contentOf(request.id))).signers).toEqual(["Ada Lovelace"])
    expect(await toldBy(service, request.id, "signature.turn-taken", "nameBy")).toEqual(["requester"])
  }, 300_000)

  it("[R07] is not made without a factor: the page says so before anything, and the press is refused", async () => {
    const email = newAddress("bare")
    const id = await sent([email])
    const session = await openSession(service.url, await linkMailedTo(email))
    expect((await session.view()).body.factor).toEqual({
      ...{ name: null, kinds: [], heldUntil: null, identityNeeded: false },
      setUp: `/account/register?for=factor&next=${encodeURIComponent(`/view/${id}`)}`,
    })
    expect((await session.press("Ada Lovelace")).body.key).toBe("error.signature.factor_needed")
    await registered(service.url, email)
    expect((await session.view()).body.factor).toMatchObject({ name: "Ada Lovelace", kinds: [] })
    expect((await session.press("Ada Lovelace")).body.key).toBe("error.signature.factor_needed")
    expect((await read(id)).status_overall).toBe("OPEN")
  }, 300_000)
})

describe("a release", () => {
  it("of another person, of another signature, or used before, releases nothing", async () => {
    const emails = [newAddress("one"), newAddress("two")]
    const [ada, bob] = await Promise.all(emails.map((email) => passkeyHolder(service, email)))
    if (ada === undefined || bob === undefined) throw new Error("Somebody is missing.")
    const ids = [await sent([emails[0] ?? ""]), await sent([emails[1] ?? ""])]
    const sessions = await Promise.all(
      emails.map(async (email) => openSession(service.url, await linkMailedTo(email))),
    )
    const [hers, his] = sessions
    if (hers === undefined || his === undefined) throw new Error("A session is missing.")
    for (const session of sessions) {
      await session.press("x")
      await askedToRelease(session)
    }
    // The passkey of somebody else, over the right challenge.
    expect((await releaseWith(hers, bob)).status).toBe(401)
    // Her own passkey, over the challenge of another signature.
    const { body: forHim } = await his.post(`${RELEASE}/passkey/options`)
    expect((await hers.post(`${RELEASE}/passkey`, { response: ada.passkey.logIn(forHim) })).status).toBe(401)
    // Without having been asked who she is.
    const { body: options } = await hers.post(`${RELEASE}/passkey/options`)
    expect(
      (await hers.post(`${RELEASE}/passkey`, { response: ada.passkey.logIn(options, 0x01) })).status,
    ).toBe(401)
    const good = ada.passkey.logIn(options)
    expect((await hers.post(`${RELEASE}/passkey`, { response: good })).status).toBe(202)
    expect((await hers.post(`${RELEASE}/passkey`, { response: good })).status).toBe(409)
    await isSigned(ids[0] ?? "")
    expect((await read(ids[1] ?? "")).status_overall).toBe("OPEN")
  }, 300_000)

  it("is over after its time: the person reads again, others may sign, and the key is gone", async () => {
    const emails = [newAddress("slow"), newAddress("other")]
    const [slow, other] = await Promise.all(emails.map((email) => passkeyHolder(service, email)))
    if (slow === undefined || other === undefined) throw new Error("Somebody is missing.")
    const { id } = await sentTo(service.caller, "v2", [], {
      quality: "AES",
      signatures: emails.map((account_email) => ({ account_email })),
    })
    const [first, second] = await Promise.all(
      emails.map(async (email) => openSession(service.url, await linkMailedTo(email))),
    )
    if (first === undefined || second === undefined) throw new Error("A session is missing.")
    await first.press("x")
    await askedToRelease(first)
    expect((await second.press("x")).body.key).toBe("error.signature.others_signing")
    const { body: options } = await first.post(`${RELEASE}/passkey/options`)
    service.moveClock(11 * MINUTE_MS)
    try {
      expect((await first.post(`${RELEASE}/passkey`, { response: slow.passkey.logIn(options) })).status).toBe(
        409,
      )
      expect((await first.view()).body.screen).toBe("read")
      await until("the key is destroyed", async () => (await keysLeft()).trim() === "0")
      expect((await second.press("x")).status).toBe(202)
      await askedToRelease(second)
      // Going back is not declining: the other one may come again.
      expect((await second.post(`${RELEASE}/leave`)).body.screen).toBe("read")
      expect((await first.press("x")).status).toBe(202)
    } finally {
      service.moveClock(0)
    }
    expect(await evidenceOf(id)).toContain("signature.turn-ended")
  }, 300_000)
})
