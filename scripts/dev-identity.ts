// The sandbox's provider of identification for `npm run dev`: whoever says a name there has a passport of it.
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  type IdentitySandbox,
  SANDBOX_ACR,
  SANDBOX_FRAMEWORK,
  startIdentityProvider,
} from "@paraph/trust-sandbox/identity"
import { writePrivate } from "./stack/state.ts"

export type DevIdentity = {
  /** For a service that shall send people there. */
  readonly env: Readonly<Record<string, string>>
  readonly provider: IdentitySandbox
}

const NAME = "demo_ident"
const CLIENT_ID = "paraph"

/** It lives as long as this process, and so does whoever is being identified; the registry names it anew each time. */
export async function startDevIdentity(dir: string, url: string): Promise<DevIdentity> {
  const folder = join(dir, "identity")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const secretFile = join(folder, "client-secret")
  if (!existsSync(secretFile)) await writePrivate(secretFile, randomBytes(24).toString("base64url"))
  const redirectUris = [`${url}/identify/callback/demo/${NAME}`]
  const client = { clientId: CLIENT_ID, clientSecret: readFileSync(secretFile, "utf8"), redirectUris }
  const provider = await startIdentityProvider({ now: () => new Date(), clients: [client] })
  const row = {
    name: NAME,
    title: "Demo Ident",
    kind: "demo",
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecretFile: "client-secret",
    userInfoAlgorithm: "RS256",
    acrValues: [SANDBOX_ACR],
    trustFrameworks: [SANDBOX_FRAMEWORK],
  }
  const registry = join(folder, "registry.json")
  await writePrivate(registry, `${JSON.stringify([row], null, 2)}\n`)
  const { hostname } = new URL(provider.issuer)
  return {
    env: { IDENTIFICATION_REGISTRY_FILE: registry, IDENTIFICATION_ALLOWED_HOSTS: hostname },
    provider,
  }
}
