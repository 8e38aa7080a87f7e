import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Fastify from "fastify"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { verifyPage } from "./verify-page.ts"

const POLICY = "default-src 'none'; script-src 'sha256-abc='"
const PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}" />`

describe("the page that checks without us, served", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "paraph-verify-served-"))
    writeFileSync(join(folder, "verify.html"), PAGE)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function get(file: string) {
    const server = Fastify()
    await server.register(verifyPage, { file: join(folder, file) })
    const answer = await server.inject("/verify")
    await server.close()
    return answer
  }

  it("is the file as it was built, under its own policy, and never in a frame", async () => {
    const { statusCode, headers, body } = await get("verify.html")
    expect([statusCode, body]).toEqual([200, PAGE])
    expect(headers["content-type"]).toBe("text/html; charset=utf-8")
    expect(headers["content-security-policy"]).toBe(`${POLICY}; frame-ancestors 'none'`)
  })

  it("is not there where it was not built", async () => {
    expect((await get("other.html")).statusCode).toBe(404)
  })
})
