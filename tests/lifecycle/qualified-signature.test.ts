// QES over the pages' own calls: the person at the provider that holds the key, twice, and back; the provider on good days and bad.
import { visitCscProvider } from "@paraph/trust-sandbox/csc-person"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { registered } from "../service/account.ts"
import type { Json } from "../service/api.ts"
import { judge } from "../service/judges.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import {
  ADA,
  askedToGo,
  comeBackTo,
  GO,
  goAs,
  type Legislation,
  type Qualified,
  signQualified,
  startQualified,
  visitAs,
} from "../service/qualified.ts"
import { newAddress, sentTo, uploadTo } from "../service/requests.ts"
import { until } from "../service/until.ts"
import { enter, signAs, type Visitor } from "../service/visitor.ts"

let world: Qualified
beforeAll(async () => {
  world = await startQualified()
}, 300_000)
afterAll(() => world?.close())
afterEach(() => {
  for (const provider of world?.providers ?? []) provider.misbehave({})
})

const read = async (id: string): Promise<Json> =>
  (await world.service.caller.get(`/v2/signature-requests/${id}`)).body
const isSigned = (id: string) =>
  until("it is signed", async () => (await read(id)).status_overall === "SIGNED", 240_000)
const contentOf = async (id: string) =>
  (await world.service.caller.get(`/v2/documents/${(await read(id)).document_id}/content`)).bytes
const story = async (id: string) =>
  (await world.service.sql(`select type from evidence where request_id = '${id}' order by seq`)).split("\n")
const sent = async (emails: readonly string[], legislation: Legislation = "EIDAS", more: object = {}) =>
  (await sentTo(world.service.caller, "v2", emails, { quality: "QES", legislation, ...more })).id as string
const toSign = async (legislation: Legislation = "EIDAS", more: object = {}) => {
  const email = newAddress("qes")
  return { email, id: await sent([email], legislation, more) }
}
/** Pressed, logged in at the provider, and asked to release. */
async function upToRelease(email: string, provider = "eidas", person = ADA): Promise<Visitor> {
  const visitor = await enter(world.service, await linkMailedTo(email))
  expect((await signAs(visitor, "Ada Lovelace", provider)).status).toBe(202)
  await visitAs(world.service, visitor, person)
  await askedToGo(visitor)
  return visitor
}
const comesTo = (visitor: Visitor, screen: string) =>
  until(`the screen is ${screen}`, async () => {
    const view = await visitor.view()
    return view.screen === screen && view
  })

describe("a qualified signature", () => {
  it.each(["EIDAS", "ZERTES"] as const)(
    "[SR-07] by %s is made by the person's own certificate at a provider of that law, once, and others find it valid",
    async (legislation) => {
      const { email, id } = await toSign(legislation)
      const provider = world.of(legislation)
      const before = provider.signatures().length
      const visitor = await signQualified(world, email, provider.name)
      await isSigned(id)
      expect(provider.signatures()).toHaveLength(before + 1)
      const { signatures } = await read(id)
      // A demo provider gives no weight.
      expect(signatures).toMatchObject([{ signed_quality: "DEMO", signed_legislation: legislation }])
      const { TRUST_ANCHORS_FILE = "" } = world.service.env
      const verdict = await judge(await contentOf(id), [...world.roots, TRUST_ANCHORS_FILE])
      expect(verdict.signers).toEqual(["Ada Lovelace"])
      expect(verdict.pdfsig).toEqual(["Signature is Valid."])
      expect(verdict.pyhanko.filter((one) => one.field.startsWith("Paraph-"))).toMatchObject([
        { valid: true, intact: true, trusted: true },
      ])
      expect((await visitor.view()).screen).toBe("done")
      const steps = [
        "signature.turn-taken",
        "provider.logged-in",
        "key.offered",
        "key.released",
        "provider.signed",
      ]
      expect((await story(id)).filter((type) => steps.includes(type))).toEqual(steps)
    },
    120_000,
  )

  it("is of several documents by one release", async () => {
    const email = newAddress("many")
    const { caller } = world.service
    const documents = []
    for (let count = 0; count < 5; count += 1)
      documents.push({ id: await uploadTo(caller, "v3", `Paper ${count}`) })
    const { body } = await caller.post("/v3/signature-requests", {
      ...{ title: "Papers", quality: "QES", legislation: "EIDAS", documents },
      signatures: [{ account_email: email }],
    })
    await caller.post(`/v3/signature-requests/${body.id}/initiate`, undefined)
    const before = world.of("EIDAS").signatures().length
    await signQualified(world, email, "eidas")
    await isSigned(body.id)
    expect(world.of("EIDAS").signatures()).toHaveLength(before + 5)
  }, 300_000)

  it("needs a provider of the law that was asked for: no other, and no key of ours", async () => {
    const { email } = await toSign("EIDAS")
    const visitor = await enter(world.service, await linkMailedTo(email))
    expect((await visitor.view()).atProvider).toMatchObject({
      required: true,
      providers: [{ name: "eidas", title: "Sandbox EIDAS" }],
    })
    expect((await signAs(visitor)).status).toBe(400)
    expect((await signAs(visitor, "Ada Lovelace", "zertes")).status).toBe(400)
    expect((await signAs(visitor, "Ada Lovelace", "nobody")).status).toBe(400)
  })

  it("is refused for a certificate of somebody else, who is told so, and the right person signs after all", async () => {
    const email = newAddress("named")
    await registered(world.service.url, email, "Ada Lovelace")
    const id = await sent([email])
    const visitor = await enter(world.service, await linkMailedTo(email))
    await signAs(visitor, "Ada Lovelace", "eidas")
    await visitAs(world.service, visitor, { login: "mallory.meyer@example.org" })
    const { atProvider } = await comesTo(visitor, "read")
    expect(atProvider.problem).toBe("other-person")
    expect((await read(id)).status_overall).toBe("OPEN")
    await signAs(visitor, "Ada Lovelace", "eidas")
    await visitAs(world.service, visitor)
    await askedToGo(visitor)
    await visitAs(world.service, visitor)
    await isSigned(id)
  }, 300_000)

  it.each([
    [{ certificate: "unqualified" }, "not-qualified"],
    [{ certificate: "other-law" }, "not-qualified"],
    [{ certificate: "stranger" }, "not-usable"],
    [{ certificate: "expired" }, "not-usable"],
    [{ credential: "revoked" }, "not-usable"],
    [{ credential: "disabled" }, "not-usable"],
    [{ credential: "not-bound" }, "not-usable"],
  ] as const)("is not made with %o: nothing is signed, and the person is told", async (how, problem) => {
    const { email } = await toSign()
    const provider = world.of("EIDAS")
    const before = provider.signatures().length
    provider.misbehave(how)
    const visitor = await enter(world.service, await linkMailedTo(email))
    await signAs(visitor, "Ada Lovelace", "eidas")
    await visitAs(world.service, visitor, {
      login: `ada.lovelace+${problem}${JSON.stringify(how).length}@example.org`,
    })
    const { atProvider } = await comesTo(visitor, "read")
    expect(atProvider.problem).toBe(problem)
    expect(provider.signatures()).toHaveLength(before)
  })

  it("whose certificate was revoked at its authority is not offered, whatever the provider says", async () => {
    const { email } = await toSign()
    const provider = world.of("EIDAS")
    const login = "ada.lovelace+revoked@example.org"
    const certificate = await provider.certificateOf(login)
    provider.sandbox.revoke(certificate)
    const visitor = await enter(world.service, await linkMailedTo(email))
    await signAs(visitor, "Ada Lovelace", "eidas")
    await visitAs(world.service, visitor, { login })
    expect((await comesTo(visitor, "read")).atProvider.problem).toBe("not-usable")
  })
})

describe("a way to the provider", () => {
  it("may be refused there, and gone again for the same documents", async () => {
    const { email, id } = await toSign()
    const visitor = await enter(world.service, await linkMailedTo(email))
    await signAs(visitor, "Ada Lovelace", "eidas")
    await visitAs(world.service, visitor, { ...ADA, logsIn: false })
    expect((await visitor.view()).release.provider).toMatchObject({ visit: "log-in", problem: "refused" })
    await visitAs(world.service, visitor)
    const { id: release } = await askedToGo(visitor)
    await visitAs(world.service, visitor, { ...ADA, releases: false })
    expect((await visitor.view()).release).toMatchObject({
      id: release,
      provider: { visit: "release", problem: "refused" },
    })
    await visitAs(world.service, visitor)
    await isSigned(id)
  }, 300_000)

  it("is gone by this very browser, once; its end is a page of ours, whatever came", async () => {
    const { email, id } = await toSign()
    const visitor = await enter(world.service, await linkMailedTo(email))
    await signAs(visitor, "Ada Lovelace", "eidas")
    const { url, cookie } = await goAs(visitor)
    const { back } = await visitCscProvider(url, ADA)
    const none = await comeBackTo(world.service.url, back, visitor.cookie)
    expect([none.status, none.headers.get("location")]).toEqual([303, "/app/"])
    expect((await visitor.view()).release.provider.visit).toBe("log-in")
    await comeBackTo(world.service.url, back, cookie)
    await askedToGo(visitor)
    await comeBackTo(world.service.url, back, cookie)
    expect((await visitor.view()).release.provider.visit).toBe("release")
    expect((await read(id)).status_overall).toBe("OPEN")
  }, 300_000)
})

describe("a provider on a bad day", () => {
  it.each(["drop", "lost", "error", "garbage", "rate-limited"] as const)(
    "answers the signing with %s: nothing is signed twice, nobody is asked twice, and it is finished",
    async (answer) => {
      const { email, id } = await toSign()
      const provider = world.of("EIDAS")
      const visitor = await upToRelease(email)
      const before = provider.signatures().length
      provider.misbehave({ answers: { "signatures/signHash": answer, "signatures/signPolling": answer } })
      await visitAs(world.service, visitor)
      await until(
        "it waits for the provider",
        async () => (await read(id)).signatures[0].waiting_for === "PROVIDER",
      )
      provider.misbehave({})
      if (answer === "lost") {
        // The provider has signed, and its answer never came: the same release says no, so the person is asked once more.
        const { atProvider } = await comesTo(visitor, "read")
        expect([atProvider.problem, provider.signatures().length]).toEqual(["lost", before + 1])
        return
      }
      await isSigned(id)
      expect(provider.signatures()).toHaveLength(before + 1)
    },
    120_000,
  )

  it("lets what was released expire: the person is told and asked again, and nothing was signed", async () => {
    const { email, id } = await toSign()
    const provider = world.of("EIDAS")
    const visitor = await upToRelease(email)
    const before = provider.signatures().length
    provider.misbehave({ authorisation: "expired" })
    await visitAs(world.service, visitor)
    expect((await comesTo(visitor, "read")).atProvider.problem).toBe("expired")
    expect(provider.signatures()).toHaveLength(before)
    provider.misbehave({})
    await signAs(visitor, "Ada Lovelace", "eidas")
    await visitAs(world.service, visitor)
    await askedToGo(visitor)
    await visitAs(world.service, visitor)
    await isSigned(id)
  }, 300_000)

  it("signs something else: no document has it", async () => {
    const { email, id } = await toSign()
    const visitor = await upToRelease(email)
    world.of("EIDAS").misbehave({ signs: "another-hash" })
    await visitAs(world.service, visitor)
    await until("it is noticed", async () => {
      const { screen, atProvider } = await visitor.view()
      return screen === "read" ? atProvider.problem : (await read(id)).signatures[0].waiting_for
    })
    const values = `select count(value) from signing_intent where signature_id in (select id from signature where request_id = '${id}')`
    expect(await world.service.sql(values)).toBe("0")
  }, 300_000)
})

// The clock is moved last: whatever comes after it would be of another day.
describe("the time for it", () => {
  it("lets others wait for half an hour, and no longer", async () => {
    const emails = [newAddress("one"), newAddress("two")]
    const signatures = emails.map((account_email) => ({ account_email }))
    await sent([], "EIDAS", { signatures })
    const [first = "", second = ""] = await Promise.all(emails.map((email) => linkMailedTo(email)))
    const press = async (link: string) => signAs(await enter(world.service, link), "Ada Lovelace", "eidas")
    expect((await press(first)).status).toBe(202)
    expect((await press(second)).body.key).toBe("error.signature.others_signing")
    world.service.moveClock(31 * 60_000)
    try {
      expect((await press(second)).status).toBe(202)
      expect((await (await enter(world.service, first)).post(GO)).status).toBe(409)
    } finally {
      world.service.moveClock(0)
    }
  }, 300_000)

  it("is two days and more where nobody else waits, and other processes finish it", async () => {
    const { email, id } = await toSign()
    const visitor = await upToRelease(email)
    const { url, cookie } = await goAs(visitor)
    const { service } = world
    service.moveClock(2 * 86_400_000)
    await service.worker.kill()
    await service.startWorker()
    try {
      await comeBackTo(service.url, (await visitCscProvider(url, ADA)).back, cookie)
      // Tokens of the interface have aged, too.
      const status = `select status from signature_request where id = '${id}'`
      await until("it is signed", async () => (await service.sql(status)) === "SIGNED", 240_000)
    } finally {
      service.moveClock(0)
    }
  }, 300_000)
})
