import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { promisify } from "node:util"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, call, type Json, VERSIONS } from "../service/api.ts"
import { PHONE, startBrowser } from "../service/browser.ts"
import { mustBeDescribed } from "../service/described.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const PYTHON = resolve(ROOT, ".tools/schemathesis/bin/python")
const FILES = {
  v1: "v1.swagger.json",
  v2: "v2.json",
  v3: "v3.json",
  "validation/v1": "validation-v1.json",
} as const
const DESCRIBED = [...VERSIONS, "validation/v1"] as const
const run = promisify(execFile)

describe("the descriptions", () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService({ worker: false, validation: true })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  const served = async (version: string): Promise<Json> => {
    const answer = await call(service.url, "GET", `/${version}/api-docs`, undefined, {})
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ])
    return answer.body
  }

  it.each(DESCRIBED)(
    "of %s need no token and are the blessed ones, with the address of the service",
    async (v) => {
      const blessed = JSON.parse(readFileSync(resolve(ROOT, "openapi", FILES[v]), "utf8"))
      const { servers, host, basePath, schemes, ...description } = await served(v)
      expect({ ...blessed, ...description }).toEqual(blessed)
      if (v === "v1") expect(`${schemes[0]}://${host}${basePath}`).toBe(`${service.url}/v1`)
      else expect(servers).toEqual([{ url: `${service.url}/${v}` }])
    },
  )

  it("[SR-29] v1 is Swagger 2.0 and deprecated, v3 is a preview", async () => {
    const v1 = await served("v1")
    expect(v1.swagger).toBe("2.0")
    for (const path of Object.values<Json>(v1.paths))
      for (const operation of Object.values<Json>(path)) expect(operation.deprecated).toBe(true)
    const { headers } = await service.caller.get("/v1/documents")
    expect(headers.get("deprecation")).toMatch(/^@\d+$/)
    expect(headers.get("link")).toContain('rel="successor-version"')
    expect(headers.get("link")).toContain('rel="deprecation"')
    expect((await served("v3")).info).toMatchObject({ version: expect.stringMatching(/preview/) })
    expect((await service.caller.get("/v3/documents")).headers.get("x-paraph-preview")).toBe("true")
    expect((await service.caller.get("/v2/documents")).headers.get("deprecation")).toBeNull()
  })

  it("[AUTH-13] v3 declares the security scheme bearer, of the format JWT, for all but login", async () => {
    const { components, security, paths } = await served("v3")
    expect(components.securitySchemes.bearer).toMatchObject({
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
    })
    expect(security).toEqual([{ bearer: [] }])
    const open = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.values<Json>(methods).flatMap((each) => (each.security === undefined ? [] : [path])),
    )
    expect(open).toEqual(["/access/login"])
  })

  it("[SR-30] v2 and v3 are OpenAPI 3.1, and an answer that they do not tell of fails the test that met it", async () => {
    for (const v of ["v2", "v3", "validation/v1"]) expect((await served(v)).openapi).toMatch(/^3\.1\.\d$/)
    const content = contractPdf().toString("base64")
    const good = await service.caller.post("/v2/documents", { title: "C", content })
    const faulty = (change: Partial<Answer>) => () =>
      mustBeDescribed("POST", "/v2/documents", { ...good, ...change })
    expect(faulty({})).not.toThrow()
    expect(faulty({ status: 418 })).toThrow("status 418")
    expect(faulty({ headers: new Headers({ "content-type": "text/html" }) })).toThrow(
      "content type text/html",
    )
    expect(faulty({ body: { ...good.body, size: "12" } })).toThrow("/size must be integer")
    const { id: _, ...nameless } = good.body
    expect(faulty({ body: nameless })).toThrow("must have required property 'id'")
    expect(() => mustBeDescribed("GET", "/v1/documents/x", { ...good, body: nameless })).toThrow("'id'")
    expect(() => mustBeDescribed("DELETE", "/v3/documents/x", { ...good, status: 204 })).toThrow(
      "content type",
    )
  })

  it.each(Object.values(FILES))("%s is valid, says a validator that others wrote", async (file) => {
    await run(PYTHON, ["-m", "openapi_spec_validator", resolve(ROOT, "openapi", file)])
  })

  it("tells of every operation that the interface and the decisions name", async () => {
    const sources = globSync("apps/server/src/http/**/*.ts", { cwd: ROOT })
    const routes = sources.filter((file) => !file.endsWith(".test.ts"))
    const names = routes.flatMap((file) =>
      [...readFileSync(resolve(ROOT, file), "utf8").matchAll(/operationId: "(\w+)"/g)].map(
        (match) => match[1],
      ),
    )
    const described = new Set<string>()
    for (const v of DESCRIBED)
      for (const path of Object.values<Json>((await served(v)).paths))
        for (const { operationId } of Object.values<Json>(path)) described.add(operationId)
    expect([...new Set(names)].filter((name) => name !== undefined && !described.has(name))).toEqual([])
  })

  it.each([
    ["a desk", { viewport: { width: 1280, height: 900 } }],
    ["a phone", PHONE],
  ])("are read on %s, from this server alone", async (_, options) => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const foreign: string[] = []
    const complaints: string[] = []
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith("http") && origin !== service.url) foreign.push(request.url())
    })
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text())
    })
    page.on("pageerror", (error) => complaints.push(String(error)))
    await page.goto(`${service.url}/reference/`)
    await page.getByRole("heading", { name: "Paraph v2" }).first().waitFor()
    const width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    expect({ foreign, complaints, width }).toEqual({ foreign: [], complaints: [], width: 0 })
    await context.close()
  })
})
