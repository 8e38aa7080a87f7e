import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { registered, tokenOf } from "../service/account.ts"
import { type Api, call, createApi } from "../service/api.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { openSession, pressDoor } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"

const people = (...emails: readonly string[]) => emails.map((email) => ({ email }))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

describe("groups", () => {
  const newGroup = async (name: string, ...emails: readonly string[]) =>
    (await service.caller.post("/v3/groups", { name, members: people(...emails) })).body
  const newDocument = async () => {
    const content = contractPdf().toString("base64")
    return (await service.caller.post("/v3/documents", { title: "Lease", content })).body.id as string
  }
  const newDraft = async (signatures: readonly object[]) => {
    const request = { title: "Lease", document_id: await newDocument(), signatures }
    const { body } = await service.caller.post("/v3/signature-requests", request)
    return body.id as string
  }

  it("are kept with their members, and say by version_id that they were changed", async () => {
    const members = [
      { email: "anna@acme.example", first_name: "Anna", last_name: "Muster", language: "de" },
      { email: "Bob@acme.example", first_name: null, last_name: null, language: null },
    ]
    const created = await service.caller.post("/v3/groups", { name: "Board", members })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      id: expect.any(String),
      owner: service.username,
      name: "Board",
      members,
      version_id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const path = `/v3/groups/${created.body.id}`
    expect((await service.caller.get(path)).body).toEqual(created.body)
    const { version_id } = created.body
    const change = { name: "The board", members: people("carl@acme.example"), version_id }
    const changed = await service.caller.put(path, change)
    expect([changed.status, changed.body.name]).toEqual([200, "The board"])
    expect(changed.body.version_id).not.toBe(version_id)
    // Somebody else has changed it since; who does not say what they saw is believed.
    expect((await service.caller.put(path, change)).status).toBe(409)
    expect((await service.caller.put(path, { ...change, version_id: null })).status).toBe(200)
    const racing = (await service.caller.get(path)).body
    const both = await Promise.all([1, 2].map(() => service.caller.put(path, asBody(racing))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await service.caller.delete(path)).status).toBe(204)
    expect((await service.caller.get(path)).status).toBe(404)
    expect((await service.caller.delete(path)).status).toBe(404)
  })
  const asBody = ({ name, members, version_id }: Record<string, unknown>) => ({ name, members, version_id })

  it("are refused with no members, too many, one twice, or what is not known", async () => {
    const many = Array.from({ length: 201 }, (_, n) => `m${n}@acme.example`)
    const bodies: readonly object[] = [
      {},
      { name: "A" },
      { name: "A", members: [] },
      { name: "", members: people("a@acme.example") },
      { name: "A", members: ["a@acme.example"] },
      { name: "A", members: people("nobody") },
      { name: "A", members: people(...many) },
      { name: "A", members: people("a@acme.example", "A@acme.example") },
      { name: "A", members: people("a@acme.example"), more: 1 },
    ]
    for (const body of bodies) expect((await service.caller.post("/v3/groups", body)).status).toBe(400)
    expect((await newGroup("A", ...many.slice(1))).members).toHaveLength(200)
    expect((await service.caller.get("/v3/groups/x")).status).toBe(400)
  })

  it("are of the business and of the kind of key: every user of it reads them, and nobody else sees them", async () => {
    const { id } = await newGroup("Ours", "a@acme.example")
    const [colleague, other, production] = await Promise.all([
      addUser(service, "colleague@acme.example"),
      addBusiness(service, "Other AG").then((business) => addUser(service, "other@b.example", { business })),
      createApi(service.url, service.username, service.productionKey),
    ])
    const seen = async (api: Api) => [
      (await api.get(`/v3/groups/${id}`)).status,
      (await api.get("/v3/groups?page_size=500")).body.some((group: { id: string }) => group.id === id),
      (await api.put(`/v3/groups/${id}`, { name: "B", members: people("b@acme.example") })).status,
    ]
    expect(await seen(other)).toEqual([404, false, 404])
    expect(await seen(production)).toEqual([404, false, 404])
    expect(await seen(colleague)).toEqual([200, true, 403])
    // Nor can a request name one of somebody else.
    const draft = await newDraft([])
    for (const signer_group_id of [randomUUID(), id]) {
      const api = signer_group_id === id ? other : service.caller
      const document_id = (
        await api.post("/v3/documents", { title: "L", content: contractPdf().toString("base64") })
      ).body.id
      const body = { title: "L", document_id, signatures: [{ signer_group_id }] }
      expect((await api.post("/v3/signature-requests", body)).status).toBe(400)
    }
    expect((await service.caller.delete(`/v3/signature-requests/${draft}`)).status).toBe(204)
    expect((await service.caller.delete(`/v3/groups/${id}`)).status).toBe(204)
  })

  it("are changed and deleted by who made them and by administrators of the business; a colleague does not let themselves in", async () => {
    const { id, members } = await newGroup("Board of the owner", "a@acme.example")
    const email = `eve-${Date.now()}@acme.example`
    const is = (role: string) =>
      service.sql(`update membership set role = '${role}' from account a
                    where a.id = account_id and a.email = '${email}'`)
    await service.paraph(
      ...["admin", "add-member", "--business", service.business, "--email", email, "--name", "Eve"],
      ...["--role", "member"],
    )
    const headers = await tokenOf(await registered(service.url, email), service.business)
    const board = { name: "Board", members: [...members, { email }] }
    const joins = () => call(service.url, "PUT", `/v3/groups/${id}`, board, headers)
    const removes = () => call(service.url, "DELETE", `/v3/groups/${id}`, undefined, headers)
    for (const role of ["member", "developer"]) {
      await is(role)
      expect([role, (await joins()).status]).toEqual([role, 403])
      expect([role, (await removes()).status]).toEqual([role, 403])
    }
    expect((await service.caller.get(`/v3/groups/${id}`)).body.members).toEqual(members)
    await is("admin")
    expect((await joins()).status).toBe(200)
    // A role is a person's: what has their name elsewhere, and a key, has none.
    const other = await addUser(service, `key-${email}`)
    expect((await other.put(`/v3/groups/${id}`, board)).status).toBe(403)
    expect((await removes()).status).toBe(204)
  })

  it("are listed, the newest first, by pages whose links lead through all of them", async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map((n) => newGroup(`Paged ${n}`, "a@acme.example")))
    const seen: string[] = []
    let next: string | undefined = "/v3/groups?search=paged&page_size=2"
    for (let pages = 1; next !== undefined; pages++) {
      const { status, body, headers }: Awaited<ReturnType<Api["get"]>> = await service.caller.get(next)
      expect([status, pages]).toEqual([200, Math.min(pages, 3)])
      seen.push(...body.map((group: { id: string }) => group.id))
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.slice(service.url.length)
    }
    expect([...seen].sort()).toEqual(made.map((group) => group.id).sort())
  })

  it("stay while a draft needs them", async () => {
    const { id } = await newGroup("Needed", "a@acme.example")
    const draft = await newDraft([{ signer_group_id: id }])
    const { status, body } = await service.caller.delete(`/v3/groups/${id}`)
    expect([status, body.key]).toEqual([400, "error.sr.invalid_state"])
    expect((await service.caller.delete(`/v3/signature-requests/${draft}`)).status).toBe(204)
    expect((await service.caller.delete(`/v3/groups/${id}`)).status).toBe(204)
  })
})

describe("signer groups", () => {
  const tag = Date.now()
  const address = (name: string) => `${name}-${tag}@example.org`
  const newGroup = async (...names: readonly string[]) =>
    (await service.caller.post("/v3/groups", { name: "Signers", members: people(...names.map(address)) }))
      .body.id as string
  const initiated = async (signatures: readonly object[], before = async () => {}) => {
    const content = contractPdf().toString("base64")
    const document = await service.caller.post("/v3/documents", { title: "Lease", content })
    const request = { title: "Lease", document_id: document.body.id, signatures }
    const { body } = await service.caller.post("/v3/signature-requests", request)
    await before()
    expect((await service.caller.post(`/v3/signature-requests/${body.id}/initiate`, undefined)).status).toBe(
      200,
    )
    return body.id as string
  }
  const read = async (id: string) => (await service.caller.get(`/v3/signature-requests/${id}`)).body
  const stateOf = async (id: string, name: string) =>
    (await read(id)).signatures.find(
      (one: { account_email: string; signer_email_address: string }) => one.account_email === address(name),
    )?.status_code
  const press = async (name: string) =>
    (await openSession(service.url, await linkMailedTo(address(name)))).press(name)
  const signs = async (id: string, name: string) => {
    expect([name, (await press(name)).status]).toEqual([name, 202])
    await until(`${name} has signed`, async () => (await stateOf(id, name)) === "SIGNED")
  }
  const mustWait = async (name: string) => {
    const link = await linkMailedTo(address(name))
    const { status, headers } = await pressDoor(service.url, link)
    // Back to the page that says so, and without a session.
    expect([name, status, headers.get("location")]).toEqual([name, 409, null])
    expect(headers.get("set-cookie")).toBeNull()
  }

  it("[SR-26 v3] inside a group any order, groups one after the other; members are frozen at initiate", async () => {
    const [first, second] = [await newGroup("a1"), await newGroup("b1", "b2")]
    const id = await initiated([{ signer_group_id: first }, { signer_group_id: second }], async () => {
      // While it is a draft the group may still change.
      const members = people(address("a1"), address("a2"))
      await service.caller.put(`/v3/groups/${first}`, { name: "Signers", members })
    })
    await service.caller.put(`/v3/groups/${first}`, { name: "Signers", members: people(address("late")) })
    expect((await service.caller.delete(`/v3/groups/${second}`)).status).toBe(204)
    const { signatures } = await read(id)
    expect(
      signatures.map((one: Record<string, unknown>) => [
        one.account_email,
        one.signer_group_id,
        one.sequence,
      ]),
    ).toEqual([
      [address("a1"), first, 1],
      [address("a2"), first, 1],
      [address("b1"), second, 2],
      [address("b2"), second, 2],
    ])

    await mustWait("b1")
    await signs(id, "a2")
    await mustWait("b2")
    await signs(id, "a1")
    await signs(id, "b2")
    expect((await read(id)).status_overall).toBe("OPEN")
    await signs(id, "b1")
    expect((await read(id)).status_overall).toBe("SIGNED")
  })

  it("[SR-26 v3] groups of an equal sequence are one parallel step, beside a person of that step", async () => {
    const [x, y, last] = [await newGroup("x"), await newGroup("y"), await newGroup("z")]
    const id = await initiated([
      { signer_group_id: last, sequence: 9 },
      { signer_group_id: x, sequence: 4 },
      { signer_group_id: y, sequence: 4 },
      { account_email: address("p"), sequence: 4 },
    ])
    await mustWait("z")
    await signs(id, "y")
    await signs(id, "p")
    await mustWait("z")
    await signs(id, "x")
    await signs(id, "z")
    expect((await read(id)).status_overall).toBe("SIGNED")
  })
})
