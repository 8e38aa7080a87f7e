// The sandbox's provider of identification: whoever says a name there has a passport of it.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import {
  type IdentitySandbox,
  SANDBOX_ACR,
  SANDBOX_FRAMEWORK,
  startIdentityProvider,
} from "@paraph/trust-sandbox/identity"
import { keptIn, writePrivate } from "./private-file.ts"

export type SandboxIdentity = {
  /** For a service that shall send people there. */
  readonly env: Readonly<Record<string, string>>
  readonly provider: IdentitySandbox
}

const CLIENT_ID = "paraph"

/** What it is called by requests of either kind of key. */
const NAMES = { demo: "demo_ident", production: "sandbox_ident" } as const

/** It lives as long as this process, and so does whoever is being identified; the registry names it anew each time. */
export async function startSandboxIdentity(
  dir: string,
  url: string,
  { now = () => new Date(), port = 0 }: { readonly now?: () => Date; readonly port?: number } = {},
): Promise<SandboxIdentity> {
  const folder = join(dir, "identity")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const clientSecret = await keptIn(join(folder, "client-secret"))
  const kinds = Object.entries(NAMES)
  const redirectUris = kinds.map(([kind, name]) => `${url}/identify/callback/${kind}/${name}`)
  const clients = [{ clientId: CLIENT_ID, clientSecret, redirectUris }]
  const provider = await startIdentityProvider({ now, port, clients })
  const rows = kinds.map(([kind, name]) => ({
    name,
    title: kind === "demo" ? "Demo Ident" : "Sandbox Ident",
    kind,
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecretFile: "client-secret",
    userInfoAlgorithm: "RS256",
    acrValues: [SANDBOX_ACR],
    trustFrameworks: [SANDBOX_FRAMEWORK],
  }))
  const registry = join(folder, "registry.json")
  await writePrivate(registry, `${JSON.stringify(rows, null, 2)}\n`)
  const { hostname } = new URL(provider.issuer)
  return {
    env: { IDENTIFICATION_REGISTRY_FILE: registry, IDENTIFICATION_ALLOWED_HOSTS: hostname },
    provider,
  }
}
