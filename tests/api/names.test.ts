// Names as an attacker writes them (finding B11): refused where they come in, and on one line wherever an older one is shown.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, codeMailedTo, PASSWORD, person } from "../service/account.ts"
import type { Json, Version } from "../service/api.ts"
import { judge } from "../service/judges.ts"
import { textOf } from "../service/looks.ts"
import { linkMailedTo, mailsComeTo } from "../service/mailbox.ts"
import { memberApi } from "../service/members.ts"
import { passkeyHolder, signAdvanced } from "../service/release.ts"
import { createRequest, entry, FIVE, newAddress, openRequest, sentTo, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"

const ATTACKS = [
  ["Anna Muster\nQualified electronic signature (QES), UBS AG", "line break (U+000A)"],
  ["Anna \u202eretsuM", "bidirectional control (U+202E)"],
  ["An\u200bna", "invisible character (U+200B)"],
  ["Anna ✔", "symbol (U+2714)"],
  ["Anna (QES)", "“QES”"],
  ["\u051a\u0415\u0405", "states the quality of a signature"],
  ["Signature électronique qualifiée", "states the quality of a signature"],
] as const
const VERSIONS = ["v1", "v2", "v3"] as const satisfies readonly Version[]
/** A name from before the rules, and how it is shown. */
const OLD = "Ada\u202e\r\nLove\u200blace"
const SHOWN = "Ada Lovelace"
const inSql = (text: string) =>
  `U&'${text.replace(/[^A-Za-z ]/g, (c) => `\\${c.charCodeAt(0).toString(16).padStart(4, "0")}`)}'`

let service: Service
beforeAll(async () => {
  service = await startService()
}, 300_000)
afterAll(() => service?.close())

const read = async (id: string, v = "v2"): Promise<Json> =>
  (await service.caller.get(`/${v}/signature-requests/${id}`)).body
const isSigned = (id: string) =>
  until("it is signed", async () => (await read(id)).status_overall === "SIGNED", 240_000)
const wordsOf = async (bytes: Uint8Array) => (await textOf(bytes)).join("\n")
const contentOf = async (id: string) =>
  (await service.caller.get(`/v2/documents/${(await read(id)).document_id}/content`)).bytes

describe("a name that could deceive", () => {
  it.each(VERSIONS)("[B11] is refused by %s for a signer, with the field and what was found", async (v) => {
    const documentId = await uploadTo(service.caller, v)
    for (const [name, found] of ATTACKS)
      for (const field of ["first_name", "last_name"]) {
        const signatures = [{ signer_identity_data: { ...FIVE, [field]: name } }]
        const { status, body } = await createRequest(service.caller, v, documentId, { signatures })
        expect([status, body.key], name).toEqual([400, "error.name.invalid"])
        expect(body.detail).toContain(`signer_identity_data.${field}`)
        expect(body.detail).toContain(found)
      }
  })

  it("[B11] is refused when a phrase is spread over both names, and when a signer is added or replaced", async () => {
    const api = service.caller
    const spread = { ...FIVE, first_name: "Qualified electronic", last_name: "Signature" }
    const documentId = await uploadTo(api, "v3")
    const signer = { signer_identity_data: spread }
    const created = await createRequest(api, "v3", documentId, { signatures: [signer] })
    expect([created.status, created.body.key]).toEqual([400, "error.name.invalid"])
    const draft = (await createRequest(api, "v3", documentId)).body
    const added = await api.post(`/v3/signature-requests/${draft.id}/signatures`, signer)
    expect([added.status, added.body.key]).toEqual([400, "error.name.invalid"])
    const replaced = await api.patch(`/v3/signature-requests/${draft.id}`, { signatures: [signer] })
    expect([replaced.status, replaced.body.key]).toEqual([400, "error.name.invalid"])
  })

  it("[B11] is refused as the name of a group, also when the group is changed", async () => {
    const members = [{ email: newAddress("name") }]
    const { body: group } = await service.caller.post("/v3/groups", { name: "Board", members })
    for (const [name] of ATTACKS) {
      const created = await service.caller.post("/v3/groups", { name, members })
      expect([created.status, created.body.key], name).toEqual([400, "error.name.invalid"])
      const changed = await service.caller.put(`/v3/groups/${group.id}`, { name, members })
      expect([changed.status, changed.body.key], name).toEqual([400, "error.name.invalid"])
    }
  })

  it("[B11] is refused for members of groups and of the business, and at the registration", async () => {
    const email = newAddress("name")
    const owner = await memberApi(service, "owner")
    for (const [name] of ATTACKS) {
      const group = { name: "Board", members: [{ email, first_name: name }] }
      expect((await service.caller.post("/v3/groups", group)).body.key).toBe("error.name.invalid")
      const member = { email, role: "member", name }
      expect((await owner.post("/v3/members", member)).body.key).toBe("error.name.invalid")
    }
    const who = person(service.url)
    const code = await codeMailedTo(email, () => who.post(`${API}/register`, { email }))
    const register = (name: string) =>
      who.post(`${API}/register/confirm`, { email, code, name, password: PASSWORD })
    for (const [name] of ATTACKS.slice(0, 3))
      expect((await register(name)).body.key, name).toBe("error.name.invalid")
    // The code is not used up by names that were refused.
    expect((await register("  Ada   Lovelace ")).status).toBe(200)
    expect((await who.get(API)).body.name).toBe("Ada Lovelace")
  })

  it("[B11] is refused by the command line, for people and for companies", async () => {
    const { business, paraph } = service
    const member = ["add-member", "--business", business, "--email", newAddress("cli"), "--role", "member"]
    const refused = async (words: readonly string[], found: string) =>
      expect(paraph("admin", ...words)).rejects.toThrow(found)
    await refused([...member, "--name", "Ada\nLovelace"], "line break (U+000A)")
    await refused([...member, "--name", "Ada QES"], "“QES”")
    await refused(["create-business", "--name", "UBS AG (QES)"], "“QES”")
    await refused(["create-business", "--name", "Acme\u202e AG"], "bidirectional control (U+202E)")
  })

  it("[B11] is refused when it is typed to sign with, and nothing is signed", async () => {
    const email = newAddress("typed")
    const { id } = await sentTo(service.caller, "v2", [email])
    const session = await openSession(service.url, await linkMailedTo(email))
    for (const [name] of ATTACKS) {
      const { status, body } = await session.press(name)
      expect([status, body.key], name).toEqual([400, "error.name.invalid"])
    }
    expect((await read(id)).status_overall).toBe("OPEN")
    expect((await session.press("Ses Kessler")).status).toBe(202)
    await isSigned(id)
  })
})

describe("a name from before the rules", () => {
  it("[B11] is one line in the certificate, the visible signature, the evidence and the report", async () => {
    const email = newAddress("old")
    const holder = await passkeyHolder(service, email)
    await service.sql(`update account set name = ${inSql(OLD)} where email = '${email}'`)
    const visual_signature = { position: { page: "0", x: 60, y: 60, width: 300, height: 80 } }
    const signatures = [entry("v2", email, { visual_signature })]
    const documentId = await uploadTo(service.caller, "v2")
    const { id } = await openRequest(service.caller, "v2", documentId, { quality: "AES", signatures })
    await signAdvanced(service, email, holder)
    await isSigned(id)
    const signed = await contentOf(id)
    expect((await judge(signed)).signers).toEqual([SHOWN])
    expect((await wordsOf(signed)).split("\n").map((line) => line.trim())).toContain(SHOWN)
    const report = (type: string) => service.caller.get(`/v2/signature-requests/${id}/report?type=${type}`)
    expect((await report("JSON")).body.protocol.people).toMatchObject([{ name: SHOWN }])
    for (const type of ["HTML", "PDF"]) {
      const { bytes } = await report(type)
      const text = type === "HTML" ? bytes.toString() : await wordsOf(bytes)
      expect(text).toContain(SHOWN)
      expect(text).not.toMatch(/[\u202e\u200b]/)
    }
  }, 300_000)

  it("[B11] is refused for a certificate where it states a quality", async () => {
    const email = newAddress("claims")
    await passkeyHolder(service, email)
    await service.sql(`update account set name = 'Ada Lovelace QES' where email = '${email}'`)
    const { id } = await sentTo(service.caller, "v2", [email], { quality: "AES" })
    const session = await openSession(service.url, await linkMailedTo(email))
    const { status, body } = await session.press("Ada Lovelace")
    expect([status, body.key]).toEqual([400, "error.name.invalid"])
    expect((await read(id)).status_overall).toBe("OPEN")
  }, 300_000)

  it("[B11] is one line in the subject and the body of an email", async () => {
    const [first, second] = [newAddress("first"), newAddress("second")]
    const signatures = [
      { signer_identity_data: { email_address: first, first_name: "Ada", last_name: "Lovelace" } },
      { account_email: second },
    ]
    const title = "Contract\u202e\u200b\r\nBcc: all@example.org"
    const { id } = await openRequest(service.caller, "v2", await uploadTo(service.caller, "v2"), {
      signatures,
      title,
    })
    const old = `jsonb_build_object('firstName', ${inSql(OLD)}, 'lastName', '')`
    await service.sql(`update signature set identity = identity || ${old} where email = '${first}'`)
    const session = await openSession(service.url, await linkMailedTo(first))
    await session.decline("No.")
    await until("it is declined", async () => (await read(id)).status_overall === "DECLINED")
    const declined = (await mailsComeTo(second, 2)).at(-1)
    expect(declined?.subject).toBe("Declined: Contract Bcc: all@example.org")
    expect(declined?.text).toContain(SHOWN)
    expect(declined?.text).not.toMatch(/[\u202e\u200b]/)
  })
})

describe("a name that mixes scripts", () => {
  it("[B11] is accepted, and v3, the evidence and the report warn of it", async () => {
    const mixed = { ...FIVE, first_name: "\u0410nna", last_name: "Muster" }
    const signatures = [{ signer_identity_data: mixed }, { signer_identity_data: FIVE }]
    const documentId = await uploadTo(service.caller, "v3")
    const { id } = await openRequest(service.caller, "v3", documentId, { signatures })
    const warnings = (await read(id, "v3")).signatures.map((one: Json) => one.name_warning)
    expect(warnings).toEqual(["MIXED_SCRIPTS", null])
    const types = await service.sql(`select type from evidence where request_id = '${id}' order by seq`)
    expect(types.split("\n").filter((type) => type === "signature.name-flagged")).toHaveLength(1)
    const { body } = await service.caller.get(`/v3/signature-requests/${id}/report?type=JSON`)
    expect(body.protocol.people.map((one: Json) => one.name_warning)).toEqual(["mixed-scripts", null])
    const page = await service.caller.get(`/v3/signature-requests/${id}/report?type=HTML&lang=en`)
    expect(page.bytes.toString()).toContain("letters of different scripts")
  })

  it("[B11] is on record when it is typed to sign with", async () => {
    const email = newAddress("mixed")
    const { id } = await sentTo(service.caller, "v3", [email])
    const session = await openSession(service.url, await linkMailedTo(email))
    expect((await session.press("Ann\u0430 Muster")).status).toBe(202)
    await until("it is signed", async () => (await read(id, "v3")).status_overall === "SIGNED")
    expect((await read(id, "v3")).signatures[0].name_warning).toBe("MIXED_SCRIPTS")
    const { body } = await service.caller.get(`/v3/signature-requests/${id}/report?type=JSON`)
    const flagged = body.protocol.events.filter(({ type }: Json) => type === "signature.name-flagged")
    expect(flagged).toMatchObject([{ data: { name: "Ann\u0430 Muster", warning: "mixed-scripts" } }])
  })
})
