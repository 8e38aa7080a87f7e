import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { API, addMember, PASSWORD, person, registered, tokenOf } from "../service/account.ts"
import { call, createApi } from "../service/api.ts"
import { entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { until } from "../service/until.ts"

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

describe("members", () => {
  it("act by the interface in their own name, as far as access lists say, until their login ends", async () => {
    const email = newAddress("reader")
    await addMember(service, email)
    const who = await registered(service.url, email)
    const token = async (businessId: string, kind = "demo") => who.post(`${API}/token`, { businessId, kind })
    expect((await token("00000000-0000-4000-8000-000000000000")).status).toBe(404)
    const { body } = await token(service.business)
    const ask = (method: string, path: string, sent?: unknown) =>
      call(service.url, method, path, sent, { authorization: `Bearer ${body.token}` })
    const documentId = await uploadTo(service.caller, "v2")
    const { id: own } = await openRequest(service.caller, "v2", documentId, {
      signatures: [entry("v2", newAddress("signer"))],
    })
    expect((await ask("GET", `/v2/signature-requests/${own}`)).status).toBe(404)
    const { id: shared } = await openRequest(service.caller, "v2", documentId, {
      signatures: [entry("v2", newAddress("signer"))],
      read_access: [email],
    })
    expect((await ask("GET", `/v2/signature-requests/${shared}`)).status).toBe(200)
    const uploaded = await ask("POST", "/v2/documents", {
      title: "Mine",
      content: (await service.caller.get(`/v2/documents/${documentId}/content`)).bytes.toString("base64"),
    })
    expect([uploaded.status, uploaded.body.owner ?? email]).toEqual([200, email])

    await who.post(`${API}/logout`)
    await until("the token is dead", async () => (await ask("GET", "/v2/signature-requests")).status === 401)
  })

  it("[SR-27 v3] who observes a request, and does not sign it, is led by its address to the console", async () => {
    const email = newAddress("observer")
    await addMember(service, email)
    const who = await registered(service.url, email)
    const documentId = await uploadTo(service.caller, "v3")
    const { id } = await openRequest(service.caller, "v3", documentId, {
      signatures: [entry("v3", newAddress("signer"))],
    })
    const leads = async () => {
      const { status, headers } = await who.get(`/view/${id}`)
      return [status, headers.get("location")]
    }
    expect(await leads()).toEqual([303, `/account/wrong?next=${encodeURIComponent(`/view/${id}`)}`])
    const observer = { type: "USER", email }
    await service.caller.post(`/v3/signature-requests/${id}/observers`, observer)
    const there = `/console/requests/${id}?business=${service.business}&kind=demo`
    expect(await leads()).toEqual([303, there])
  })

  it("have no key, whatever they try", async () => {
    const email = newAddress("keyless")
    await addMember(service, email)
    await expect(service.paraph("admin", "create-key", "--user", email, "--kind", "demo")).rejects.toThrow(
      "There is no such user.",
    )
    await expect(
      service.paraph("admin", "create-user", "--business", service.business, "--username", email),
    ).rejects.toThrow("Somebody in this business has, or had, this name.")
    await expect(
      service.sql(`insert into api_key select gen_random_uuid(), business_id, id, 'demo', '\\x00', 'x', now(), now(), null
        from api_user where username = '${email}'`),
    ).rejects.toThrow("not with an API key")
    const login = await call(
      service.url,
      "POST",
      "/v2/access/login",
      { username: email, "api-key": service.demoKey },
      {},
    )
    expect(login.status).toBe(401)
  })

  it("have a name that no key's user has, nor had, however it is written", async () => {
    const admin = (...words: string[]) => service.paraph("admin", ...words)
    const on = ["--business", service.business]
    const [member, user] = [newAddress("named"), newAddress("user")]
    await addMember(service, member)
    await admin("remove-member", ...on, "--email", member)
    await admin("create-user", ...on, "--username", user)
    await admin("remove-user", "--user", user)
    const upper = member.toUpperCase()
    await expect(admin("create-user", ...on, "--username", upper)).rejects.toThrow("has, or had, this name")
    await expect(addMember(service, user.toUpperCase())).rejects.toThrow("has, or had, this name")
    // Two at once would not see each other; the database does.
    await expect(
      service.sql(`insert into api_user (id, business_id, username, created_at)
        values (gen_random_uuid(), '${service.business}', '${upper}', now())`),
    ).rejects.toThrow("this name is taken in the business")
  })

  it("spend one share of the interface, however often they log in", async () => {
    const email = newAddress("share")
    await addMember(service, email)
    const who = await registered(service.url, email)
    const left = async () => {
      const headers = await tokenOf(who, service.business)
      const answer = await call(service.url, "GET", "/v2/signature-requests", undefined, headers)
      return Number(answer.headers.get("ratelimit-remaining"))
    }
    const first = await left()
    await who.post(`${API}/login`, { email, password: PASSWORD })
    expect(await left()).toBeLessThan(first)
  })

  it("do not leave webhooks behind that others made in their name; nor do keys", async () => {
    const email = newAddress("hooks")
    await addMember(service, email)
    const [who, thief] = [await registered(service.url, email), person(service.url)]
    await thief.post(`${API}/login`, { email, password: PASSWORD })
    const body = { url: "https://hooks.example.org/paraph", types: ["document.created"] }
    const make = async (by: typeof who) =>
      (await call(service.url, "POST", "/v2/webhooks", body, await tokenOf(by, service.business))).body.id
    const [mine, planted] = [await make(who), await make(thief)]
    const stopped = async () => {
      const headers = await tokenOf(who, service.business)
      const { body: all } = await call(service.url, "GET", "/v2/webhooks", undefined, headers)
      return all.flatMap((one: { id: string; stopped_at?: string }) => (one.stopped_at ? [one.id] : []))
    }
    const { sessions } = (await who.get(`${API}/sessions`)).body
    const other = sessions.find(({ current }: { current: boolean }) => !current)
    expect((await who.delete(`${API}/sessions/${other.id}`)).status).toBe(204)
    expect(await stopped()).toEqual([planted])
    expect(
      (await who.post(`${API}/password`, { password: "another long walk by a lake", current: PASSWORD }))
        .status,
    ).toBe(204)
    expect((await stopped()).sort()).toEqual([mine, planted].sort())
    const { events } = (await who.get(`${API}/events`)).body
    expect(events.filter(({ act }: { act: string }) => act === "webhooks-stopped")).toHaveLength(2)

    const made = await service.paraph("admin", "create-key", "--user", service.username, "--kind", "demo")
    const key = await createApi(service.url, service.username, made["api-key"] ?? "")
    const { id } = (await key.post("/v2/webhooks", body)).body
    await service.caller.post(`/v2/webhooks/${id}/rotate-secret`, undefined)
    const reset = await service.paraph("admin", "reset-key", "--key", made.key ?? "")
    expect(reset["stopped-webhooks"]).toEqual([id])
  })

  it("who leave can do nothing any more, and are themselves again when they come back", async () => {
    const email = newAddress("leaver")
    await addMember(service, email)
    const userOf = () =>
      service.sql(`select id from api_user where username = '${email}' and removed_at is null`)
    const before = await userOf()
    const who = await registered(service.url, email)
    const { body } = await who.post(`${API}/token`, { businessId: service.business, kind: "demo" })
    await service.paraph("admin", "remove-member", "--business", service.business, "--email", email)
    await until(
      "the token is dead",
      async () =>
        (
          await call(service.url, "GET", "/v2/signature-requests", undefined, {
            authorization: `Bearer ${body.token}`,
          })
        ).status === 401,
    )
    expect(await userOf()).toBe("")
    await addMember(service, email)
    expect(await userOf()).toBe(before)
  })
})

describe("the address of a request, for account holders", () => {
  const requestFor = async (email: string) => {
    const documentId = await uploadTo(service.caller, "v2")
    const { id } = await openRequest(service.caller, "v2", documentId, { signatures: [entry("v2", email)] })
    return id as string
  }

  it("[URL-06] brings whoever is not logged in to the login first, whether there is such a request or not", async () => {
    const id = await requestFor(newAddress("viewer"))
    const bare = person(service.url)
    const query = "?exitURL=https%3A%2F%2Fshop.example%2Fdone%3Fa%3D1%26b%3D2&lang=de"
    for (const each of [id, "00000000-0000-4000-8000-000000000000"]) {
      const { status, headers } = await bare.get(`/view/${each}${query}`)
      const next = encodeURIComponent(`/view/${each}${query}`)
      expect([status, headers.get("location")]).toEqual([303, `/account/login?next=${next}`])
    }
    expect(bare.cookies.size).toBe(0)
    // `next` is what was asked for, and always a path of ours.
    for (const odd of ["//evil.example", "https:%2F%2Fevil.example"]) {
      const { headers } = await bare.get(`/view/${encodeURIComponent(odd)}`)
      expect(headers.get("location")).toMatch(/^\/account\/login\?next=%2Fview%2F/)
    }
  })

  it("[URL-06] shows the document to the one whom it is for, who may sign; GETs change nothing", async () => {
    const email = newAddress("viewer")
    const who = await registered(service.url, email.toUpperCase())
    const id = await requestFor(email)
    for (let look = 0; look < 5; look++) {
      const shown = await who.get(`/view/${id}`)
      expect(shown.status).toBe(200)
      expect(shown.bytes.toString()).toContain(`<form method="post" action="/view/${id}"`)
    }
    expect(await service.sql("select count(*) from signer_session")).toBe("0")
    expect((await who.post(`/view/${id}`)).headers.get("location")).toBe("/app/")
    const { body: view } = await who.get("/app/api/signature")
    expect(view.screen).toBe("read")
    const agreed = {
      name: "Ada Lovelace",
      consentVersion: view.consent.version,
      shown: view.documents.map((document: { id: string }) => document.id),
    }
    const shown = { "paraph-signature": view.signature }
    const pressed = await who.post("/app/api/signature/sign", agreed, shown)
    expect(pressed.status).toBe(202)
    await until("it is signed", async () => {
      const { body } = await service.caller.get(`/v2/signature-requests/${id}`)
      return body.status_overall === "SIGNED"
    })
  })

  it("is left with the login: what it opened is closed by logging out, and by a new password", async () => {
    const email = newAddress("leaves")
    const who = await registered(service.url, email)
    const id = await requestFor(email)
    const came = async () => {
      await who.post(`/view/${id}`)
      const copy = person(service.url)
      for (const [name, value] of who.cookies) if (/signer/.test(name)) copy.cookies.set(name, value)
      expect((await copy.get("/app/api/signature")).status).toBe(200)
      return copy
    }
    const [before, again] = [await came(), await came()]
    expect(again.cookies).toEqual(before.cookies)
    await who.post(`${API}/password`, { password: "another long walk by a lake", current: PASSWORD })
    expect((await before.get("/app/api/signature")).status).toBe(401)
    const after = await came()
    await who.post(`${API}/logout`)
    expect((await after.get("/app/api/signature")).status).toBe(401)
    expect([...who.cookies.keys()].filter((name) => /signer/.test(name))).toEqual([])
  })

  it("tells everybody else that it is not for them, whether there is such a request or not", async () => {
    const id = await requestFor(newAddress("viewer"))
    const other = await registered(service.url, newAddress("other"))
    for (const each of [id, "00000000-0000-4000-8000-000000000000", "nonsense"]) {
      const { status, headers } = await other.get(`/view/${each}?lang=fr`)
      const next = encodeURIComponent(`/view/${each}?lang=fr`)
      expect([status, headers.get("location")]).toEqual([303, `/account/wrong?next=${next}`])
      expect((await other.post(`/view/${each}`)).headers.get("location")).toContain("/account/wrong")
    }
  })
})
