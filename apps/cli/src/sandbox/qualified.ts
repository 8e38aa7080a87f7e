// The sandbox's providers of qualified signatures, one for each law: whoever says a name there has a certificate.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { keysInFolder } from "@paraph/gateways/keys-in-folder"
import { toPem } from "@paraph/trust-sandbox/authority"
import { type CscSandbox, startCscProvider } from "@paraph/trust-sandbox/csc"
import { startTrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { serialNumberFrom } from "@paraph/trust-sandbox/serial-number"
import { keptIn, writePrivate } from "./private-file.ts"

export type SandboxQualified = {
  /** For a service that shall send people there. */
  readonly env: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

export type QualifiedOptions = {
  readonly now?: () => Date
  /** Four, of the authority and of the provider of each law; by default such as are free. */
  readonly ports?: readonly number[]
  /** What keys and certificates follow from. */
  readonly seed?: string
}

const CLIENT_ID = "paraph"
const LAWS = ["EIDAS", "ZERTES"] as const
const KINDS = ["demo", "production"] as const

/** They live as long as this process, and so do the certificates of their people; the file names them anew each time. */
export async function startSandboxQualified(
  dir: string,
  url: string,
  { now = () => new Date(), ports = [], seed }: QualifiedOptions = {},
): Promise<SandboxQualified> {
  const folder = join(dir, "qualified")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const clientSecret = await keptIn(join(folder, "client-secret"))
  const rows = []
  const opened: Pick<CscSandbox, "close">[] = []
  for (const [place, legislation] of LAWS.entries()) {
    const law = legislation.toLowerCase()
    const names = KINDS.map((kind) => `${kind}-${law}`)
    const redirectUris = names.map((name) => `${url}/qes/${name}/callback`)
    const repeating = seed === undefined ? {} : repeatingFrom(join(folder, law), `${seed} ${law}`)
    const sandbox = await startTrustSandbox({ now, port: ports[2 * place] ?? 0, ...repeating })
    const clients = [{ clientId: CLIENT_ID, clientSecret, redirectUris }]
    const port = ports[2 * place + 1] ?? 0
    const provider = await startCscProvider({ sandbox, now, port, clients, legislation, ...repeating })
    opened.push(provider, sandbox)
    await writePrivate(join(folder, `${law}.pem`), toPem(sandbox.root))
    for (const kind of KINDS)
      rows.push({
        ...{ name: `${kind}-${law}`, title: `Demo provider (${legislation})`, kind, legislation },
        ...{ baseUrl: provider.baseUrl, clientId: CLIENT_ID, clientSecretFile: "client-secret" },
        anchorsFile: `${law}.pem`,
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

/** The same keys and serial numbers at every start. */
export const repeatingFrom = (folder: string, seed: string) => ({
  keys: keysInFolder({ folder, seed }),
  serialNumber: serialNumberFrom(seed),
})
