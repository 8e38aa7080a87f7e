import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { type Call, wayOf } from "./ways.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const ID = "0b8e5f6c-1a2b-4c3d-8e9f-001122334455"
const way = (path: string, more: Partial<Call> = {}) =>
  wayOf({ method: "GET", path, query: "", authorization: undefined, cookies: undefined, ...more })
const bearer = (claims: object) =>
  `Bearer e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.AAAA`
const names = (path: string, more: Partial<Call> = {}) => {
  const found = way(path, more)
  return found.by === "names" ? found.names : found.by
}

describe("the way of a call", () => {
  it("is that of its token: by the key, or by the business that a person works for", () => {
    for (const path of ["/v1/documents", "/v2/documents", "/v3/events", "/validation/v1/validate"]) {
      expect(names(path, { authorization: bearer({ key: ID }) })).toEqual([`key:${ID}`])
      expect(names(path, { authorization: bearer({ session: ID, business: ID }) })).toEqual([
        `business:${ID}`,
      ])
    }
  })

  it.each([
    undefined,
    "Bearer x",
    "Basic e30",
    "Bearer e30.%%.e30",
    bearer({}),
    bearer({ key: 7 }),
    "Bearer e30.bnVsbA.x",
  ])("is nobody's with the token %s", (authorization) => {
    expect(way("/v2/documents", { authorization })).toEqual({ by: "names", names: [], unknown: "no-token" })
  })

  it("is that of the name that logs in", () => {
    const found = way("/v1/access/login", { method: "POST" })
    expect(found.by === "body" && found.names({ username: "acme" })).toEqual(["user:acme"])
    const person = way("/app/api/account/login", { method: "POST" })
    expect(person.by === "body" && person.names({ email: "ann@example.org" })).toEqual([
      "account:ann@example.org",
      "domain:example.org",
    ])
  })

  it("is that of a link, a preview, a session or a way back, by its hash or by an id", () => {
    for (const path of ["/sign/", "/sign/show"])
      expect(names(path, { method: "POST", link: "secret" })).toEqual([`link:${sha256("secret")}`])
    expect(names("/sign/")).toBe("any")
    expect(names("/sign/secret")).toEqual([`link:${sha256("secret")}`])
    const token = Buffer.concat([Buffer.from(ID.replaceAll("-", ""), "hex"), Buffer.alloc(32)])
    expect(names(`/preview/${token.toString("base64url")}`)).toEqual([`signature:${ID}`])
    expect(names("/app/api/signature", { cookies: "a=b; paraph-signer=s" })).toEqual([
      `session:${sha256("s")}`,
    ])
    expect(names("/app/api/account", { cookies: "__Host-paraph-account=s" })).toEqual([
      `login:${sha256("s")}`,
    ])
    expect(names("/qes/some/callback", { query: "state=s&code=c" })).toEqual([`state:${sha256("s")}`])
    expect(names(`/account/sso/callback/${ID}`)).toEqual([`business:${ID}`])
    expect(names(`/view/${ID}`)).toEqual([`request:${ID}`])
    expect(names(`/app/logo/${ID}.png`)).toEqual([`logo:${ID}`])
  })

  it("is any cell's for what all have alike, one's for its log, and nobody's for the rest", () => {
    for (const path of ["/console/", "/app/", "/app/assets/a.js", "/verify", "/v2/api-docs", "/problem/x"])
      expect([path, way(path).by]).toEqual([path, "any"])
    expect(way("/cells/b/log/demo/checkpoint")).toEqual({
      by: "cell",
      cell: "b",
      path: "/log/demo/checkpoint",
    })
    expect(way("/cells/b")).toEqual({ by: "choice", cell: "b" })
    for (const path of [
      "/metrics",
      "/management/knows",
      "/cells/b/v2/documents",
      "/cells/",
      "/v4/x",
      "/.well-known/x",
    ])
      expect([path, way(path).by]).toEqual([path, "nobody"])
  })
})
