import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { startSandboxQualified } from "./qualified.ts"

it("whoever runs the service on a laptop finds a provider of qualified signatures for each law", async () => {
  const dir = mkdtempSync(join(tmpdir(), "paraph-qualified-"))
  const { env, close } = await startSandboxQualified(dir, "http://localhost:8080")
  const file = env.QES_PROVIDERS_FILE ?? ""
  const providers: Record<string, string>[] = JSON.parse(readFileSync(file, "utf8"))
  expect(providers.map(({ name, kind, legislation }) => [name, kind, legislation])).toEqual([
    ["demo-eidas", "demo", "EIDAS"],
    ["production-eidas", "production", "EIDAS"],
    ["demo-zertes", "demo", "ZERTES"],
    ["production-zertes", "production", "ZERTES"],
  ])
  for (const { baseUrl, anchorsFile = "" } of providers) {
    expect(readFileSync(join(dirname(file), anchorsFile), "utf8")).toContain("BEGIN CERTIFICATE")
    const info = await fetch(`${baseUrl}/info`, { method: "POST", body: "{}" })
    expect(await info.json()).toMatchObject({ authType: expect.arrayContaining(["oauth2code"]) })
  }
  const secret = join(dirname(file), "client-secret")
  expect(statSync(secret).mode & 0o077).toBe(0)
  expect(readFileSync(secret, "utf8")).toMatch(/^[\w-]{32}$/)
  await close()
  rmSync(dir, { recursive: true })
})
