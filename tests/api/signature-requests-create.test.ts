import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createApi, type Json, VERSIONS, type Version } from "../service/api.ts"
import { mailsTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Receiver, startReceiver } from "../service/receiver.ts"
import { createRequest, emailsOf, entry, FIVE, NAMES, newAddress, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"

const content = contractPdf().toString("base64")
const INLINE = ["v1", "v2"] as const
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe("creating signature requests", () => {
  let service: Service
  let receiver: Receiver
  let documentId: string
  beforeAll(async () => {
    service = await startService()
    const pdf = contractPdf()
    receiver = await startReceiver(() => ({ status: 200, contentType: "application/pdf", body: pdf }))
    documentId = await uploadTo(service.caller, "v2")
  })
  afterAll(async () => {
    await receiver?.close()
    await service?.close()
  })

  const create = (v: Version, more: object = {}) => createRequest(service.caller, v, documentId, more)
  const post = (v: Version, body: object) => service.caller.post(`/${v}/signature-requests`, body)
  const statusOf = async (v: Version, more: object) => (await create(v, more)).status

  it.each(INLINE)(
    "[SR-01] %s: takes a document by content, by file_url or by document_id; OPEN at once",
    async (v) => {
      for (const document of [
        { content },
        { file_url: `${receiver.url}/a.pdf` },
        { document_id: documentId },
      ]) {
        const { status, body } = await post(v, { title: "Contract", ...document })
        expect([Object.keys(document), status, body.status_overall]).toEqual([
          Object.keys(document),
          200,
          "OPEN",
        ])
        expect((await service.caller.get(`/${v}/documents/${body.document_id}`)).status).toBe(200)
      }
    },
  )

  it.each(INLINE)("[SR-01] %s: refuses none of the three, any two and all of them", async (v) => {
    const file_url = `${receiver.url}/a.pdf`
    const document_id = crypto.randomUUID()
    for (const document of [
      {},
      { content, file_url },
      { content, document_id },
      { file_url, document_id },
      { content, file_url, document_id },
    ])
      expect((await post(v, { title: "Contract", ...document })).status).toBe(400)
    expect((await post(v, { title: "Contract", document_id })).status).toBe(404)
  })

  it("[SR-02 v3] takes up to 50 documents that are there, and nothing inline; DRAFT, and nobody is written to", async () => {
    // One user has 32 uploads under way at most.
    const ten = () => Promise.all(Array.from({ length: 10 }, () => uploadTo(service.caller, "v3")))
    const ids = [...(await ten()), ...(await ten()), ...(await ten()), ...(await ten()), ...(await ten())]
    const documents = ids.map((id) => ({ id }))
    const signer = newAddress("draft")
    const { status, body } = await post("v3", {
      title: "Fifty",
      documents,
      signatures: [entry("v3", signer)],
    })
    expect([status, body.status_overall]).toEqual([200, "DRAFT"])
    expect(body.documents).toEqual(ids.map((id) => ({ id, name: "Contract", version_id: id })))
    expect(body.document_id).toBe(ids[0])
    expect(body.signatures[0].document_signatures).toHaveLength(50)
    const more = [...documents, { id: documentId }]
    for (const bad of [
      { content },
      { file_url: `${receiver.url}/a.pdf` },
      { document_id: documentId, content },
      {},
      { documents: [] },
      { documents: more },
      { documents, document_id: documentId },
      { documents: [{ id: documentId }, { id: documentId }] },
    ])
      expect((await post("v3", { title: "Contract", ...bad })).status).toBe(400)
    expect((await post("v3", { title: "x", documents: [{ id: crypto.randomUUID() }] })).status).toBe(404)
    // A mail to somebody who is invited now comes; to the signer of the draft none has come by then.
    const other = newAddress("open")
    await create("v2", { signatures: [entry("v2", other)] })
    await expect.poll(() => mailsTo(other), { timeout: 150_000 }).toHaveLength(1)
    expect(await mailsTo(signer)).toEqual([])
  })

  it.each(VERSIONS)("[SR-03] %s: needs a title, and no message", async (v) => {
    for (const title of [undefined, null, "", "x".repeat(1025), 1])
      expect(await statusOf(v, { title })).toBe(400)
    expect(await statusOf(v, { title: "x".repeat(1024) })).toBe(200)
    expect((await create(v)).body.message).toBeNull()
    expect((await create(v, { message: "Hello" })).body.message).toBe("Hello")
    expect(await statusOf(v, { message: "x".repeat(1025) })).toBe(400)
  })

  it.each(VERSIONS)("[SR-04] [SR-05] [SR-32] %s: answers every field of part 2.1", async (v) => {
    const given = {
      message: "Please",
      callback_success_url: "https://acme.example/s",
      callback_update_url: "https://acme.example/u",
      callback_error_url: "https://acme.example/e",
      quality: "SES",
      legislation: "EIDAS",
      read_access: ["reader"],
      write_access: ["writer"],
      custom: "order 4711",
      attach_on_success: ["SIGNED_DOCUMENT", "SIGNATURE_PROTOCOL"],
      ...(v !== "v3" && { cc_email_addresses: ["archive@example.org"] }),
    }
    const { status, body } = await create(v, { ...given, ...(v !== "v3" && { owner: "somebody-else" }) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ cc_email_addresses: [], ...given, title: "Contract", signatures: [] })
    expect(body).toMatchObject({ owner: service.username, document_id: documentId, creator: null })
    expect(body.signing_url).toBe(`${service.url}/view/${body.id}`)
    expect(body.id).toMatch(UUID)
    expect(body.created_at).toMatch(UTC)
    expect(body.updated_at).toMatch(UTC)
    expect(body).not.toHaveProperty("content")
    expect(body).not.toHaveProperty("file_url")
    const only = { expires_at: null, auto_delete_at: null }
    expect(v === "v3" ? { expires_at: body.expires_at, auto_delete_at: body.auto_delete_at } : {}).toEqual(
      v === "v3" ? only : {},
    )
    expect("attachments" in body).toBe(v !== "v1")
    expect((await service.caller.get(`/${v}/signature-requests/${body.id}`)).body).toEqual(body)
  })

  it.each(VERSIONS)("[SR-05] %s: the owner is who created it, and cannot be changed", async (v) => {
    const { body } = await create(v)
    const changed = await service.caller.patch(`/${v}/signature-requests/${body.id}`, { owner: "other" })
    expect(changed.status).toBe(v === "v3" ? 400 : 200)
    expect((await service.caller.get(`/${v}/signature-requests/${body.id}`)).body.owner).toBe(
      service.username,
    )
  })

  it.each(VERSIONS)(
    "[SR-07] %s: has four qualities and two legislations, and needs one of these for QES and AES_MINIMAL",
    async (v) => {
      for (const quality of ["SES", "AES", "QES", "AES_MINIMAL"])
        for (const legislation of ["ZERTES", "EIDAS"]) {
          const { status, body } = await create(v, { quality, legislation })
          expect([status, body.quality, body.legislation]).toEqual([200, quality, legislation])
        }
      for (const quality of ["QES", "AES_MINIMAL"]) expect(await statusOf(v, { quality })).toBe(400)
      for (const quality of ["SES", "AES"]) expect(await statusOf(v, { quality })).toBe(200)
      for (const bad of [{ quality: "ses" }, { quality: "XES" }, { legislation: "EU" }, { quality: 1 }])
        expect(await statusOf(v, bad)).toBe(400)
      expect((await create(v)).body).toMatchObject({ quality: "SES", legislation: null })
    },
  )

  it("never weakens a quality: what a production key asks for and is not here yet is refused", async () => {
    const production = await createApi(service.url, service.username, service.productionKey)
    const own = await uploadTo(production, "v2")
    for (const v of VERSIONS)
      for (const quality of ["AES", "QES", "AES_MINIMAL"]) {
        const { status, body } = await createRequest(production, v, own, { quality, legislation: "ZERTES" })
        expect([status, body.type]).toEqual([403, `${service.url}/problem/feature-not-enabled`])
      }
    expect((await createRequest(production, "v2", own, { quality: "SES" })).status).toBe(200)
  })

  it.each(VERSIONS)("[SR-08] [ST-01] %s: may start without signers, and waits", async (v) => {
    const { body } = await create(v)
    expect([body.status_overall, body.signatures]).toEqual([v === "v3" ? "DRAFT" : "OPEN", []])
    const none = await create(v, { signatures: [] })
    expect([none.status, none.body.status_overall]).toEqual([200, v === "v3" ? "DRAFT" : "OPEN"])
    if (v !== "v3") return
    const opened = await service.caller.post(`/v3/signature-requests/${body.id}/initiate`, undefined)
    expect([opened.body.status_overall, opened.body.signatures]).toEqual(["OPEN", []])
  })

  it("[SR-09 v1] [SR-10 v2] an entry is called as its version calls it", async () => {
    const [first, second] = [newAddress("first"), newAddress("second")]
    for (const v of VERSIONS) {
      const { email, place } = NAMES[v]
      const { body } = await create(v, { signatures: [entry(v, first, { place: 2 }), entry(v, second)] })
      expect(body.signatures).toMatchObject([
        { [email]: first, [place]: 2, status_code: "OPEN", notify: true, language: "en" },
        { [email]: second, [place]: -1, status_code: "OPEN", signer_identity_data: null },
      ])
      for (const signature of body.signatures) {
        expect(signature.sid).toMatch(UUID)
        expect(signature).not.toHaveProperty("signed_at")
        expect(signature).not.toHaveProperty("signing_url")
        expect("visual_signature" in signature).toBe(v !== "v3")
      }
      for (const bad of [{ place: 1000 }, { place: 1.5 }, { place: -2 }, { language: "xx" }])
        expect(await statusOf(v, { signatures: [entry(v, first, bad)] })).toBe(400)
      expect(await statusOf(v, { signatures: [{}] })).toBe(400)
      expect(await statusOf(v, { signatures: [entry(v, "nobody")] })).toBe(400)
    }
    expect(await statusOf("v1", { signatures: [entry("v2", first)] })).toBe(400)
    expect(await statusOf("v2", { signatures: [entry("v1", first)] })).toBe(400)
  })

  it.each(VERSIONS)("[SR-12] %s: two entries with equal identity data are two signatures", async (v) => {
    const signatures = [{ signer_identity_data: FIVE }, { signer_identity_data: FIVE }]
    const { status, body } = await create(v, { signatures })
    expect(status).toBe(200)
    expect(new Set(body.signatures.map((s: Json) => s.sid)).size).toBe(2)
    expect(new Set(emailsOf(v, body)).size).toBe(2)
    const [twice] = [newAddress("twice")]
    const again = await create(v, { signatures: [entry(v, twice), entry(v, twice)] })
    expect(emailsOf(v, again.body)).toEqual([twice, twice])
  })

  it.each(VERSIONS)(
    "[SR-13] [SR-36] %s: identity data beside an e-mail is for whom no account has that address",
    async (v) => {
      const known = newAddress("account")
      await service.paraph(
        ...["admin", "add-member", "--business", service.business, "--email", known],
        ...["--name", "Ada Lovelace", "--role", "member"],
      )
      const unknown = newAddress("nobody")
      const { status, body } = await create(v, {
        signatures: [known, unknown].map((email) => entry(v, email, { signer_identity_data: FIVE })),
      })
      expect(status).toBe(200)
      const [account, stranger] = body.signatures
      expect(emailsOf(v, body)).toEqual([known, stranger.sid])
      expect(account.signer_identity_data).toBeNull()
      expect(account).not.toHaveProperty("signing_url")
      expect(stranger.signer_identity_data).toEqual({ first_name: "Ada", last_name: "Lovelace" })
      expect(stranger.signing_url).toMatch(new RegExp(`^${service.url}/preview/`))
      expect(JSON.stringify(body)).not.toMatch(/\+41|demo_ident|nobody-/)
      if (v === "v3") await service.caller.post(`/v3/signature-requests/${body.id}/initiate`, undefined)
      for (const email of [known, unknown])
        await expect.poll(() => mailsTo(email), { timeout: 150_000 }).toHaveLength(1)
    },
  )

  it.each(VERSIONS)(
    "[SR-14] %s: needs all five members of the identity, and names what is missing",
    async (v) => {
      const withData = (data: object) => create(v, { signatures: [{ signer_identity_data: data }] })
      expect((await withData(FIVE)).status).toBe(200)
      for (const name of Object.keys(FIVE)) {
        const { status, body } = await withData({ ...FIVE, [name]: undefined })
        expect([name, status]).toEqual([name, 400])
        expect(body.message).toContain(name)
      }
      for (const bad of [
        { issuing_country: "CHE" },
        { issuing_country: "1A" },
        { first_name: "" },
        { mobile_number: "no" },
        { provider: "unheard_of" },
      ])
        expect((await withData({ ...FIVE, ...bad })).status).toBe(400)
      const byMail = await withData({ email_address: newAddress("finn"), first_name: "Finn", language: "fr" })
      expect(byMail.status).toBe(v === "v1" ? 400 : 200)
      if (v !== "v1") expect(byMail.body.signatures[0]).toMatchObject({ language: "fr" })
    },
  )

  it.each(VERSIONS)(
    "[SR-33] %s: the title names the downloaded file, whatever characters it holds",
    async (v) => {
      for (const title of [
        "Lease of flat 4",
        '../../etc/"pass\r\nwd"; x=y',
        "Ümläut – 契約 \u202e.exe",
        "..",
        "CON",
      ]) {
        const id = v === "v3" ? await uploadTo(service.caller, "v3", title) : null
        const { body } =
          id === null ? await post(v, { title, content }) : await post(v, { title, document_id: id })
        expect(body.title).toBe(title)
        const { status, headers } = await service.caller.get(`/${v}/documents/${body.document_id}/content`)
        const name = headers.get("content-disposition") ?? ""
        expect(status).toBe(200)
        expect(name).toMatch(/^attachment; filename="[^"\\/\r\n]+\.pdf"/)
        expect(decodeURIComponent(name)).not.toMatch(/[\u202e\r\n]|\.\.\//)
      }
    },
  )

  it.each(VERSIONS)(
    "[SR-34] %s: the former expiration_date sets nothing and is never answered; v3 refuses it as unknown",
    async (v) => {
      const taken = v === "v3" ? 400 : 200
      expect(await statusOf(v, { expiration_date: "2027-01-01" })).toBe(taken)
      const { body } = await create(v)
      const path = `/${v}/signature-requests`
      const change = { expiration_date: "2027-01-01" }
      expect((await service.caller.patch(`${path}/${body.id}`, change)).status).toBe(taken)
      expect((await service.caller.put(path, { id: body.id, ...change })).status).toBe(taken)
      const after = await service.caller.get(`${path}/${body.id}`)
      expect(after.body).not.toHaveProperty("expiration_date")
      expect(after.body.expires_at ?? null).toBeNull()
    },
  )

  it("[SR-35] what v3 alone has is not there in v1 and v2", async () => {
    const second = await uploadTo(service.caller, "v2")
    for (const v of INLINE) {
      const documents = [{ id: documentId }, { id: second }]
      expect((await post(v, { title: "Contract", documents })).status).toBe(400)
      const { body } = await create(v, { documents, expires_at: "2027-01-01" })
      expect(body).not.toHaveProperty("documents")
      expect(body).not.toHaveProperty("expires_at")
      const group = { signer_group_id: crypto.randomUUID() }
      expect(await statusOf(v, { signatures: [group] })).toBe(400)
      const at = `/${v}/signature-requests/${body.id}`
      for (const path of [`${at}/initiate`, `${at}/documents`, `${at}/observers`, `/${v}/groups`])
        expect([path, (await service.caller.post(path, {})).status]).toEqual([path, 404])
      expect((await service.caller.delete(`${at}/expires-at`)).status).toBe(404)
    }
  })

  it.each(VERSIONS)(
    "%s: refuses callback URLs that are not https, carry credentials or hide a placeholder",
    async (v) => {
      for (const callback_error_url of [
        "http://example.org/",
        "https://u:p@example.org/",
        "https://SERVICE_DOCUMENT_ID.example.org/",
        "ftp://example.org",
        "/x",
      ])
        expect(await statusOf(v, { callback_error_url })).toBe(400)
    },
  )

  it.each(VERSIONS)("%s: creator is a member of the business, and may write", async (v) => {
    const creator = newAddress("creator")
    expect(await statusOf(v, { creator })).toBe(400)
    await service.paraph(
      ...["admin", "add-member", "--business", service.business, "--email", creator],
      ...["--name", "Carla", "--role", "member"],
    )
    const { body } = await create(v, { creator, write_access: ["writer"] })
    expect(body).toMatchObject({ creator, write_access: ["writer", creator], owner: service.username })
  })

  it("a dry run of v3 says who would be written to when, and stores nothing", async () => {
    const count = () => service.sql("select count(*) from signature_request")
    const before = await count()
    const people = ["one", "two", "silent"].map(newAddress)
    const [one = "", two = "", silent = ""] = people
    const signatures = [
      entry("v3", one, { place: 1 }),
      entry("v3", two, { place: 2 }),
      entry("v3", silent, { notify: false }),
    ]
    const asked = { title: "Plan", document_id: documentId, quality: "AES", signatures }
    const { status, body } = await service.caller.post("/v3/signature-requests?dry_run=true", asked)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      dry_run: true,
      quality: "AES",
      credits: 0,
      invitations: [
        { account_email: one, step: 1, mails: ["ON_INITIATE"] },
        { account_email: two, step: 2, mails: ["ON_INITIATE", "ON_TURN"] },
        { account_email: silent, step: 1, mails: [] },
      ],
    })
    const refused = { ...asked, quality: "QES" }
    expect((await service.caller.post("/v3/signature-requests?dry_run=true", refused)).status).toBe(400)
    expect((await service.caller.post("/v3/signature-requests?dry_run=yes", asked)).status).toBe(400)
    expect(await count()).toBe(before)
    const made = await service.caller.post("/v3/signature-requests?dry_run=false", asked)
    expect(made.body.status_overall).toBe("DRAFT")
  })
})
