import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, createApi, withToken } from "../service/api.ts"
import { openRequest, uploadTo } from "../service/requests.ts"
import { freePort } from "../service/settings.ts"
import { until } from "../service/until.ts"
import { signByLink } from "./integrator.ts"
import { type Business, type Region, startRegion } from "./region.ts"

describe("two cells behind a router", { timeout: 300_000 }, () => {
  let region: Region
  let acme: Business
  let globex: Business
  beforeAll(async () => {
    region = await startRegion()
    ;[acme, globex] = await Promise.all([region.a.newBusiness("acme"), region.b.newBusiness("globex")])
  })
  afterAll(() => region?.close())

  const loggedIn = ({ username, demoKey }: Business) => createApi(region.url, username, demoKey)
  const sent = async (business: Business) => {
    const api = await loggedIn(business)
    const signer = `signer-${randomUUID()}@example.org`
    const signatures = [{ account_email: signer }]
    const { id } = await openRequest(api, "v2", await uploadTo(api, "v2"), { signatures })
    return { api, signer, id: id as string }
  }

  it("a call that names nobody they know goes to no cell, and is refused in the form of the interface", async () => {
    const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const forged = (claims: object) => `${segment({ alg: "none" })}.${segment(claims)}.AAAA`
    const tokens = [
      "garbage",
      forged({ key: randomUUID() }),
      forged({ key: "http://127.0.0.1:1/" }),
      forged({ business: "../../b" }),
      forged({ cell: "http://127.0.0.1:1", session: "x" }),
    ]
    for (const token of tokens) {
      const { status, body, headers } = await withToken(region.url, token).get("/v2/documents")
      expect([token, status]).toEqual([token, 401])
      expect(body.type).toBe(`${region.url}/problem/problem-with-message`)
      expect(headers.get("www-authenticate")).toBe("Bearer")
    }
    // One of a key that is there, and that nobody has signed: the cell itself refuses it.
    const id = await region.a.sql(`select id from api_key where business_id = '${acme.id}'`)
    expect((await withToken(region.url, forged({ key: id })).get("/v2/documents")).status).toBe(401)
    for (const path of ["/metrics", "/management/knows", "/nothing", "/cells/c/log/demo/key", "/cells/http:"])
      expect([path, (await call(region.url, "GET", path, undefined, {})).status]).toEqual([path, 404])
  })

  it("nobody's host, address or header leads a call anywhere but to the cells", async () => {
    let reached = 0
    const stranger = createServer((_, response) => {
      reached += 1
      response.end("stranger")
    })
    const port = await freePort()
    await new Promise<void>((done) => stranger.listen(port, "127.0.0.1", done))
    const here = `127.0.0.1:${port}`
    const heads = [
      `GET /problem/entity-not-found HTTP/1.1\r\nHost: ${here}\r\nX-Forwarded-Host: ${here}\r\nConnection: close\r\n\r\n`,
      `GET http://${here}/problem/entity-not-found HTTP/1.1\r\nHost: ${here}\r\nConnection: close\r\n\r\n`,
      `GET //${here}/problem HTTP/1.1\r\nHost: ${here}\r\nConnection: close\r\n\r\n`,
      `GET /console/../../${here} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /sign/%2e%2e/%2e%2e/v2/documents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      // Two lengths of one body: what the one reader takes for the next call, the other takes for the body.
      `POST /v2/access/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v2/documents HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]
    const answers = await Promise.all(heads.map((head) => answerTo(new URL(region.url).port, head)))
    stranger.close()
    expect(reached).toBe(0)
    expect(answers.map((answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toEqual([
      "200",
      "400",
      "404",
      "400",
      "400",
      "400",
    ])
    expect(answers.join()).not.toContain("stranger")
  })

  it("an address that a caller gives itself is not believed, and a cell sees the one that the call came from", async () => {
    const credentials = { username: acme.username, "api-key": "wrong" }
    const counted = () => region.a.sql("select count(*) from rate_limit where key like 'login-address:%'")
    await call(region.url, "POST", "/v2/access/login", credentials, {})
    const before = await counted()
    for (const address of ["203.0.113.9", "203.0.113.10"]) {
      const headers = { "x-forwarded-for": address, forwarded: `for=${address}`, "x-real-ip": address }
      await call(region.url, "POST", "/v2/access/login", credentials, headers)
    }
    expect([before, await counted()]).toEqual(["1", "1"])
  })

  it("one public set of keys has those of both", async () => {
    const { body } = await call(region.url, "GET", "/.well-known/jwks.json", undefined, {})
    const of = async (url: string) =>
      (await call(url, "GET", "/.well-known/jwks.json", undefined, {})).body.keys.map(
        ({ kid }: { kid: string }) => kid,
      )
    const kids = body.keys.map(({ kid }: { kid: string }) => kid)
    for (const url of [region.a.direct, region.b.direct])
      expect(kids).toEqual(expect.arrayContaining(await of(url)))
  })

  it("a move that is killed, wherever that is, is run again and ends well", async () => {
    const { signer, id } = await sent(acme)
    await until(
      "the mail is sent",
      async () => (await region.a.sql("select count(*) from mail_log where state = 'SENT'")) !== "0",
    )
    const words = ["cells", "move", "--business", acme.id, "--to", "b", "--grace", "0"]
    for (const at of [/objects are in b/, /nobody acts for it now/, /jobs are in b/, /b has it/]) {
      await region.killedMove(words, at)
      // While it is cut off, nobody is told that something is gone.
      const { status } = await call(
        region.url,
        "POST",
        "/v2/access/login",
        { username: acme.username, "api-key": acme.demoKey },
        {},
      )
      expect([200, 503]).toContain(status)
    }
    const { code, err } = await region.paraph(words)
    expect({ code, err }).toMatchObject({ code: 0 })
    await signByLink(region.url, signer)
    const api = await until("the business answers", async () => loggedIn(acme).catch(() => null))
    await until(
      "it is signed",
      async () => (await api.get(`/v2/signature-requests/${id}`)).body.status_overall === "SIGNED",
    )
    expect(
      await region.a.sql(`select count(*) from signature_request where business_id = '${acme.id}'`),
    ).toBe("0")
    expect((await region.paraph(words)).code).toBe(0)
  })

  it("and back again: its evidence is found where it was, and holds in both", async () => {
    const { id } = await sent(acme)
    const { code, err } = await region.paraph([
      "cells",
      "move",
      "--business",
      acme.id,
      "--to",
      "a",
      "--grace",
      "0",
    ])
    expect({ code, err }).toMatchObject({ code: 0 })
    const api = await until("the business answers", async () => loggedIn(acme).catch(() => null))
    const found = await until("it is there", async () => {
      const { status, body } = await api.get(`/v2/signature-requests/${id}`)
      return status === 200 && body
    })
    expect(found.status_overall).toBe("OPEN")
    for (const cell of [region.a, region.b]) {
      await until("nothing waits", async () => (await cell.sql("select count(*) from log_waiting")) === "0")
      expect((await cell.check(["log", "check"])).out.trim()).toBe('{"holds":true,"findings":[]}')
    }
  })

  it("what cannot be moved is refused in words before anything is begun, and nobody has noticed", async () => {
    const taken = await region.b.newBusiness("acme-twin")
    await region.b.sql(`update api_user set username = 'acme' where business_id = '${taken.id}'`)
    const { code, err } = await region.paraph(["cells", "move", "--business", acme.id, "--to", "b"])
    expect({ code, err: err.trim() }).toEqual({
      code: 1,
      err: "The user name acme is another business's in b.",
    })
    expect(await region.a.sql(`select leaving is null from business where id = '${acme.id}'`)).toBe("t")
    await region.b.sql(`update api_user set username = 'acme-twin' where business_id = '${taken.id}'`)
  })

  it("a move that was cut off before its rows were there can be called off, and the business goes on where it is", async () => {
    const api = await loggedIn(acme)
    await region.a.sql(`update business set leaving = 'moving' where id = '${acme.id}'`)
    const { status, headers } = await api.get("/v2/documents")
    expect([status, headers.get("retry-after")]).toEqual([503, "2"])
    const { code, out, err } = await region.paraph(["cells", "cancel", "--business", acme.id])
    expect({ code, out: out.trim(), err }).toMatchObject({ code: 0, out: "It goes on in a." })
    expect((await api.get("/v2/documents")).status).toBe(200)
  })

  it("a cell that is stopped harms only its own businesses", async () => {
    const [ours, theirs] = [await loggedIn(acme), await loggedIn(globex)]
    await region.a.api.kill()
    for (let n = 0; n < 20; n += 1) {
      expect((await theirs.get("/v2/documents")).status).toBe(200)
      const { status, headers, body } = await ours.get("/v2/documents")
      expect([status, headers.get("retry-after"), body.title]).toEqual([503, "10", "Try again later"])
    }
    // What is the same in every cell is had from the other.
    expect((await call(region.url, "GET", "/problem/entity-not-found", undefined, {})).status).toBe(200)
  })
})

/** What is answered to bytes that no client would send. */
const answerTo = (port: string, head: string): Promise<string> =>
  new Promise((done) => {
    let answer = ""
    const socket = connect(Number(port), "localhost", () => socket.write(head))
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on("data", (piece) => {
      answer += piece.toString()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => done(answer))
  })
