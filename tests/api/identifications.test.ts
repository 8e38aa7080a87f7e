import { createPublicKey, verify } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, call, createApi, type Json } from "../service/api.ts"
import {
  comesToStatus,
  type Identifying,
  identificationStatus,
  identifyAs,
  pathOf,
  QES,
  setExpressQes,
  startIdentifying,
  toIdentify,
  visitorOf,
} from "../service/identification.ts"
import { createRequest, FIVE, newAddress, uploadTo } from "../service/requests.ts"
import type { Service } from "../service/service.ts"
import { toldBy } from "../service/stories.ts"
import { until } from "../service/until.ts"
import { addUser } from "../service/users.ts"
import { isDone, signAs } from "../service/visitor.ts"

let world: Identifying
let service: Service
let caller: Api

beforeAll(async () => {
  world = await startIdentifying()
  service = world.service
  caller = service.caller
}, 300_000)
afterAll(() => world?.close())

const statusOf = (at: string) => identificationStatus(caller, at)
const comesTo = (at: string, status: string) => comesToStatus(caller, at, status)

const VERSIONS = ["v2", "v3"] as const

describe.each(VERSIONS)("express QES in %s", (v) => {
  it(`[XQ-01 ${v}] [XQ-02 ${v}] the signer is identified on the way, and the evidence is read as JSON, files and JWT`, async () => {
    const { id, sid, email, data, evidenceId, at } = await toIdentify(service, v)
    expect(data).toMatchObject({ first_name: "Ada", last_name: "Lovelace", evidence_id: evidenceId })
    expect(await statusOf(at)).toEqual({ evidence_id: evidenceId, status: "CREATED", reason: null })
    const visitor = await visitorOf(service, email)
    expect(await visitor.view()).toMatchObject({
      screen: "read",
      identification: { status: "CREATED", provider: "Demo Ident", stated: "Ada Lovelace" },
    })
    const early = await signAs(visitor)
    expect([early.status, early.body.key]).toEqual([403, "error.identification.needed"])
    const noJwt = await caller.get(`${at}/jwt`)
    expect(noJwt.status).toBe(404)

    const back = await identifyAs(service, visitor)
    expect([back.status, back.headers.get("location")]).toEqual([303, "/app/"])
    await comesTo(at, "ACCEPTED")
    expect(await visitor.view()).toMatchObject({
      screen: "read",
      identification: { status: "ACCEPTED" },
      signer: { name: "Ada Augusta Lovelace" },
    })

    const { body: json } = await caller.get(at)
    expect(json).toMatchObject({
      evidence_id: evidenceId,
      signature_request_id: id,
      signature_id: sid,
      provider: "demo_ident",
      status: "ACCEPTED",
      attempts: 1,
      name: "Ada Augusta Lovelace",
      verified_claims: {
        verification: { trust_framework: "sandbox" },
        claims: { given_name: "Ada Augusta", family_name: "Lovelace", birthdate: "1985-12-10" },
      },
    })
    expect(JSON.stringify(json.verified_claims)).not.toContain('"content":')
    const { body: files } = await caller.get(`${at}/files`)
    expect(files.map(({ name }: Json) => name)).toEqual([
      "evidence-1.png",
      "provider-keys.json",
      "userinfo.jwt",
      "verified-claims.json",
    ])
    const picture = await caller.get(`${at}/files/evidence-1.png`)
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(picture.headers.get("content-disposition")).toContain("attachment")
    expect(picture.bytes.subarray(1, 4).toString()).toBe("PNG")
    expect((await caller.get(`${at}/files/passport.png`)).status).toBe(404)

    await mustBeOurs((await caller.get(`${at}/jwt`)).bytes.toString(), json)
    mustBeSigned(
      (await caller.get(`${at}/files/userinfo.jwt`)).bytes.toString(),
      (await caller.get(`${at}/files/provider-keys.json`)).body,
      "RSA-SHA256",
    )

    // By the name that was verified, whatever was typed.
    expect((await signAs(visitor, "Somebody Else")).status).toBe(202)
    await isDone(visitor)
    expect(await toldBy(service, id, "signature.consented", "name")).toEqual(["Ada Augusta Lovelace"])
    expect((await statusOf(at)).status).toBe("ACCEPTED")
    const events = await service.sql(
      `select string_agg(type, ' ' order by transaction, number) from event
        where request_id = '${id}' and type like 'identification.%' and signature_id = '${sid}'`,
    )
    expect(events).toBe("identification.started identification.accepted")
  })

  it(`[XQ-01 ${v}] whoever is to sign with QES is identified first, and their key has the name that was verified`, async () => {
    const { at, email } = await toIdentify(service, v, QES)
    const visitor = await visitorOf(service, email)
    expect((await signAs(visitor)).body.key).toBe("error.identification.needed")
    await identifyAs(service, visitor)
    await comesTo(at, "ACCEPTED")
    expect(await visitor.view()).toMatchObject({ screen: "read", factor: { name: "Ada Augusta Lovelace" } })
    // From here on it is the release of their key that is asked for, by a factor beside the link.
    const pressed = await signAs(visitor)
    expect(pressed.body.key ?? null).not.toBe("error.identification.needed")
    expect((await visitor.view()).screen).not.toBe("done")
  })

  it(`[XQ-03 ${v}] answers 403 feature-not-enabled where the feature is off, whatever is asked for`, async () => {
    const { at, id } = await toIdentify(service, v)
    await setExpressQes(service, "off")
    try {
      const paths = ["", "/status", "/files", "/files/userinfo.jwt", "/jwt"].map((rest) => at + rest)
      const unknown = pathOf(v, id, crypto.randomUUID())
      for (const path of [...paths, unknown, pathOf(v, crypto.randomUUID(), crypto.randomUUID())])
        expect(await refusalOf(caller.get(path))).toEqual([403, "feature-not-enabled"])
      const review = caller.post(`${at}/review`, { decision: "ACCEPTED" })
      expect(await refusalOf(review)).toEqual([403, "feature-not-enabled"])
      const asked = { ...FIVE, identification_require_evidence: true }
      const wanted = createRequest(caller, v, await uploadTo(caller, v), {
        signatures: [{ account_email: newAddress("off"), signer_identity_data: asked }],
      })
      expect(await refusalOf(wanted)).toEqual([403, "feature-not-enabled"])
    } finally {
      await setExpressQes(service, "on")
    }
    expect((await statusOf(at)).status).toBe("CREATED")
  })

  it(`[SR-13 ${v}] [SR-14 ${v}] asks for evidence whatever the quality, of a provider that gives some; shows no more of the signer than before`, async () => {
    const { data, sid, email, at } = await toIdentify(service, v)
    expect(Object.keys(data).sort()).toEqual(["evidence_id", "first_name", "last_name"])
    const early = await signAs(await visitorOf(service, email))
    expect(early.body.key).toBe("error.identification.needed")
    expect(sid).not.toBe(data.evidence_id)
    expect((await statusOf(at)).status).toBe("CREATED")
    const document = await uploadTo(caller, v)
    const withData = (given: object, more: object = {}) =>
      createRequest(caller, v, document, { signatures: [{ signer_identity_data: given }], ...more })
    const byMail = { email_address: newAddress("mail"), identification_require_evidence: true }
    expect((await withData(byMail)).status).toBe(400)
    const { last_name: _, ...four } = FIVE
    expect((await withData({ ...four, identification_require_evidence: true })).status).toBe(400)
    expect((await withData({ ...FIVE, provider: "nobody" })).status).toBe(400)
    // An SES signer whose provider could, but who need not be.
    const { body } = await withData(FIVE)
    expect(body.signatures[0].signer_identity_data).toEqual({ first_name: "Ada", last_name: "Lovelace" })
  })
})

/** A real check with the published key, of a token of its own type. */
async function mustBeOurs(token: string, json: Json): Promise<void> {
  const { keys } = (await call(service.url, "GET", "/.well-known/jwks.json", undefined, {})).body
  const { header, claims } = mustBeSigned(token, { keys }, null)
  expect(header).toMatchObject({ alg: "EdDSA", typ: "identification-evidence+jwt" })
  const { evidence_id: sub, ...said } = json
  expect(claims).toMatchObject({ iss: service.url, sub, ...said })
  const asToken = await call(service.url, "GET", "/v2/documents", undefined, {
    authorization: `Bearer ${token}`,
  })
  expect(asToken.status).toBe(401)
}

function mustBeSigned(token: string, { keys }: Json, algorithm: string | null) {
  const [head = "", body = "", value = ""] = token.split(".")
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString())
  const header = read(head)
  const jwk = keys.find(({ kid }: Json) => kid === header.kid)
  const key = createPublicKey({ key: jwk, format: "jwk" })
  const text = Buffer.from(`${head}.${body}`)
  expect(verify(algorithm, text, key, Buffer.from(value, "base64url"))).toBe(true)
  return { header, claims: read(body) }
}

const refusalOf = async (asked: ReturnType<Api["get"]>) => {
  const { status, body } = await asked
  return [status, new URL(body.type).pathname.split("/").at(-1)]
}

describe("who may see it, and for how long", () => {
  it("[XQ-02 v2, XQ-02 v3] the status is for whoever reads the request; the person's data for those who may write it", async () => {
    const [reader, stranger] = [await addUser(service, "reader"), await addUser(service, "stranger")]
    const { at, email, id } = await toIdentify(service, "v2", { read_access: ["reader"] })
    await identifyAs(service, await visitorOf(service, email))
    await comesTo(at, "ACCEPTED")
    const paths = ["", "/files", "/files/userinfo.jwt", "/jwt"]
    expect((await reader.get(`${at}/status`)).status).toBe(200)
    for (const path of paths) expect((await reader.get(at + path)).status).toBe(403)
    expect((await reader.post(`${at}/review`, { decision: "REJECTED" })).status).toBe(403)
    for (const path of [...paths, "/status"]) expect((await stranger.get(at + path)).status).toBe(404)
    const production = await createApi(service.url, service.username, service.productionKey)
    expect((await production.get(`${at}/status`)).status).toBe(404)
    // Not one of its own, and none of an attachment either.
    const other = await toIdentify(service, "v2")
    expect((await caller.get(pathOf("v2", other.id, at.split("/").at(-1) ?? ""))).status).toBe(404)
    expect((await caller.get(`/v2/signature-requests/${id}`)).body.attachments).toEqual([])
  })

  it("[XQ-02 v2] is sealed where it lies, and goes with the request", async () => {
    const { at, email, id, evidenceId } = await toIdentify(service, "v2")
    await identifyAs(service, await visitorOf(service, email))
    await comesTo(at, "ACCEPTED")
    const rows = await service.sql(
      `select to_jsonb(a)::text from attachment a where identification_id = '${evidenceId}'`,
    )
    expect(rows).not.toContain("1985")
    const names = await service.sql(
      `select blob_name from attachment where identification_id = '${evidenceId}'`,
    )
    expect(names.split("\n")).toHaveLength(4)
    expect((await caller.delete(`/v2/signature-requests/${id}`)).status).toBe(204)
    expect((await caller.get(`${at}/status`)).status).toBe(404)
    const tables = ["identification", "attachment"]
    for (const table of tables) {
      const of = table === "identification" ? "id" : "identification_id"
      expect(await service.sql(`select count(*) from ${table} where ${of} = '${evidenceId}'`)).toBe("0")
    }
    await until("the objects are swept", async () => {
      const list = names.split("\n").map((name) => `'${name}'`)
      return (await service.sql(`select count(*) from loose_blob where name in (${list})`)) === "0"
    })
  })
})
