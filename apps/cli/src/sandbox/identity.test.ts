import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startSandboxIdentity } from "./identity.ts"

it("whoever runs the service on a laptop finds a provider of identification, under the same secret each time", async () => {
  const dir = mkdtempSync(join(tmpdir(), "paraph-identity-"))
  const secrets: string[] = []
  for (const _ of ["the first day", "the next"]) {
    const { env, provider } = await startSandboxIdentity(dir, "http://localhost:8080")
    const file = env.IDENTIFICATION_REGISTRY_FILE ?? ""
    const [row, other] = JSON.parse(readFileSync(file, "utf8"))
    expect(row).toMatchObject({ name: "demo_ident", kind: "demo", issuer: provider.issuer })
    expect(other).toMatchObject({ name: "sandbox_ident", kind: "production", issuer: provider.issuer })
    const described = await fetch(`${row.issuer}/.well-known/openid-configuration`)
    expect(await described.json()).toMatchObject({ issuer: row.issuer })
    const secret = join(dir, "identity", row.clientSecretFile)
    expect(statSync(secret).mode & 0o077).toBe(0)
    secrets.push(readFileSync(secret, "utf8"))
    await provider.close()
  }
  expect(secrets[0]).toMatch(/^[\w-]{32}$/)
  expect(secrets[1]).toBe(secrets[0])
  rmSync(dir, { recursive: true })
})
