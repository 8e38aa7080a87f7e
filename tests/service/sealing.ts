import { execFile } from "node:child_process"
import { createPublicKey } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { type Api, createApi } from "./api.ts"
import { COMPILED } from "./compiled.ts"
import { type Service, type ServiceOptions, startService } from "./service.ts"

const run = promisify(execFile)

export type SealingService = Service & {
  /** A client with a production key of the same business. */
  readonly production: Api
}

/** A service with the feature switched on; production has a seal, and demo keys get theirs by themselves. */
export async function startSealing(options: ServiceOptions = {}): Promise<SealingService> {
  const service = await startService(options)
  if (options.authorities === false)
    for (const kind of ["demo", "production"])
      await service.paraph("ca", "init", "--kind", kind, "--organization", "Acme Trust AG", "--country", "CH")
  await switchSealing(service, service.business, "--on")
  await createSeal(service, "main")
  return { ...service, production: await createApi(service.url, service.username, service.productionKey) }
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
  (await run(process.execPath, [PARAPH, ...words], { env: { PATH: process.env.PATH, ...COMPILED, ...env } }))
    .stdout

const which = ({ business }: Service, name: string) => [
  ...["--business", business, "--kind", "production", "--name", name],
]

/** Asks for a certificate by somebody else; answers the key that it is to be about, as the request names it. */
export async function requestSeal(service: Service, name: string, ...more: string[]): Promise<Uint8Array> {
  const request = await printed(service, "seal", "request", ...which(service, name), ...more)
  return inFile(request, async (file) => {
    const { stdout } = await run("openssl", ["req", "-in", file, "-verify", "-noout", "-pubkey"])
    return new Uint8Array(createPublicKey(stdout).export({ type: "spki", format: "der" }))
  })
}

export const installSeal = (service: Service, name: string, pem: string): Promise<Record<string, string>> =>
  inFile(pem, (file) => service.paraph("seal", "install", ...which(service, name), "--file", file))

async function inFile<T>(content: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "paraph-seal-"))
  try {
    const file = join(folder, "file.pem")
    await writeFile(file, content)
    return await work(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
