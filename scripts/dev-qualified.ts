// The sandbox's providers of qualified signatures for `npm run dev`, one for each law: whoever says a name there has a certificate.
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { toPem } from "@paraph/trust-sandbox/authority"
import { type CscSandbox, startCscProvider } from "@paraph/trust-sandbox/csc"
import { startTrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { writePrivate } from "./stack/state.ts"

export type DevQualified = {
  /** For a service that shall send people there. */
  readonly env: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

const CLIENT_ID = "paraph"

/** They live as long as this process, and so do the certificates of their people; the file names them anew each time. */
export async function startDevQualified(dir: string, url: string): Promise<DevQualified> {
  const folder = join(dir, "qualified")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const secretFile = join(folder, "client-secret")
  if (!existsSync(secretFile)) await writePrivate(secretFile, randomBytes(24).toString("base64url"))
  const clientSecret = readFileSync(secretFile, "utf8")
  const now = () => new Date()
  const rows = []
  const opened: Pick<CscSandbox, "close">[] = []
  for (const legislation of ["EIDAS", "ZERTES"] as const) {
    const name = `demo-${legislation.toLowerCase()}`
    const sandbox = await startTrustSandbox({ now })
    const clients = [{ clientId: CLIENT_ID, clientSecret, redirectUris: [`${url}/qes/${name}/callback`] }]
    const provider = await startCscProvider({ sandbox, now, clients, legislation })
    opened.push(provider, sandbox)
    await writePrivate(join(folder, `${name}.pem`), toPem(sandbox.root))
    rows.push({
      ...{ name, title: `Demo provider (${legislation})`, kind: "demo", legislation },
      ...{ baseUrl: provider.baseUrl, clientId: CLIENT_ID, clientSecretFile: "client-secret" },
      anchorsFile: `${name}.pem`,
    })
  }
  const file = join(folder, "providers.json")
  await writePrivate(file, `${JSON.stringify(rows, null, 2)}\n`)
  return {
    env: { QES_PROVIDERS_FILE: file, QES_ALLOWED_HOSTS: "127.0.0.1", REVOCATION_ALLOWED_HOSTS: "127.0.0.1" },
    close: async () => {
      for (const one of opened) await one.close()
    },
  }
}
