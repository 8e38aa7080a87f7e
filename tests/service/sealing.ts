import { execFile } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { makeSofthsmToken } from "@paraph/gateways/testing/softhsm-token"
import { type Api, createApi } from "./api.ts"
import { type Service, type ServiceOptions, startService } from "./service.ts"

const run = promisify(execFile)

export type SealingService = Service & {
  /** A client with a production key of the same business. */
  readonly production: Api
}

/**
 * A service with authorities of its own and the feature switched on; production has a seal, and demo keys get theirs by
 * themselves. In a token of its own: seals leave keys behind, and that of the stack is everybody's.
 */
export async function startSealing(options: ServiceOptions = {}): Promise<SealingService> {
  const token = makeSofthsmToken()
  const { tokenLabel, pinFile, env } = token.settings
  const service = await startService({
    ...options,
    env: {
      ...env,
      PKCS11_DEMO_TOKEN: tokenLabel,
      PKCS11_DEMO_PIN_FILE: pinFile,
      PKCS11_PRODUCTION_TOKEN: tokenLabel,
      PKCS11_PRODUCTION_PIN_FILE: pinFile,
      ...options.env,
    },
  })
  const { business, paraph } = service
  for (const kind of ["demo", "production"])
    await paraph("ca", "init", "--kind", kind, "--organization", "Acme Trust AG", "--country", "CH")
  await switchSealing(service, business, "--on")
  await createSeal(service, "main")
  return {
    ...service,
    production: await createApi(service.url, service.username, service.productionKey),
    close: async () => {
      await service.close()
      token.remove()
    },
  }
}

export const switchSealing = (service: Service, business: string, how: "--on" | "--off") =>
  service.paraph("admin", "set-feature", "--business", business, "--feature", "sealing", how)

/** Of production, for the service's own business. */
export const createSeal = ({ paraph, business }: Service, name: string, ...more: string[]) => {
  const which = ["--business", business, "--kind", "production", "--name", name]
  const company = ["--organization", "Acme AG", "--identifier", "NTRCH-CHE-123.456.789", "--country", "CH"]
  return paraph("seal", "create", ...which, ...company, ...more)
}

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")

/** What a command prints that is no JSON. */
export const printed = async ({ env }: Service, ...words: string[]): Promise<string> =>
  (await run(process.execPath, [PARAPH, ...words], { env: { PATH: process.env.PATH, ...env } })).stdout

/** A seal whose certificate somebody else issues, for the key that the request names; answers what was typed last. */
export async function installSeal(
  service: Service,
  name: string,
  issue: (publicKeySpki: Uint8Array) => Promise<string>,
  options: { readonly isNew: boolean } = { isNew: true },
): Promise<Record<string, string>> {
  const which = ["--business", service.business, "--kind", "production", "--name", name]
  const company = options.isNew ? ["--organization", "Acme AG", "--country", "CH"] : []
  const request = await printed(service, "seal", "request", ...which, ...company)
  const folder = await mkdtemp(join(tmpdir(), "paraph-seal-"))
  const file = join(folder, "chain.pem")
  try {
    await writeFile(join(folder, "request.pem"), request)
    const asked = ["req", "-in", join(folder, "request.pem"), "-verify", "-noout", "-pubkey"]
    const { stdout } = await run("openssl", asked)
    const spki = createPublicKey(stdout).export({ type: "spki", format: "der" })
    await writeFile(file, await issue(new Uint8Array(spki)))
    return await service.paraph("seal", "install", ...which, "--file", file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
