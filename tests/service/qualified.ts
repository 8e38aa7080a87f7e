import { X509Certificate } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CscSandbox, type CscSandboxOptions, startCscProvider } from "@paraph/trust-sandbox/csc"
import { type CscPerson, visitCscProvider } from "@paraph/trust-sandbox/csc-person"
import { startTrustSandbox, type TrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { type Answer, call } from "./api.ts"
import { linkMailedTo } from "./mailbox.ts"
import { type Service, type ServiceOptions, startService } from "./service.ts"
import { freePort } from "./settings.ts"
import { until } from "./until.ts"
import { enter, signAs, type Visitor } from "./visitor.ts"

export type Legislation = "EIDAS" | "ZERTES"
export type Kind = "demo" | "production"

/** A provider of the sandbox, with the authority of its own that its certificates come from. */
export type Provider = CscSandbox & { readonly name: string; readonly sandbox: TrustSandbox }

export type Qualified = {
  readonly service: Service
  /** By their names: `eidas` and `zertes`, of the kind. */
  readonly providers: readonly Provider[]
  readonly of: (legislation: Legislation) => Provider
  /** PEM files: the roots of the providers. */
  readonly roots: readonly string[]
  readonly close: () => Promise<void>
}

const CLIENT = { clientId: "paraph", clientSecret: "a secret of the client, and of ours" }

type Options = ServiceOptions & {
  /** Starts the service with something more beside it. */
  readonly start?: (options: ServiceOptions) => Promise<Service>
  readonly kind?: Kind
  readonly csc?: Partial<CscSandboxOptions>
}

/** A service with a provider for each law. */
export async function startQualified({
  kind = "demo",
  csc = {},
  start = startService,
  ...options
}: Options = {}): Promise<Qualified> {
  const folder = mkdtempSync(join(tmpdir(), "paraph-qualified-"))
  writeFileSync(join(folder, "secret"), CLIENT.clientSecret)
  // A provider and its authority live in the time of the service.
  let clockFile: string | undefined
  const now = () => new Date(Date.now() + aheadBy(clockFile))
  const rows = []
  const waiting: { name: string; port: number; sandbox: TrustSandbox; legislation: Legislation }[] = []
  for (const legislation of ["EIDAS", "ZERTES"] as const) {
    const [port, name] = [await freePort(), legislation.toLowerCase()]
    const sandbox = await startTrustSandbox({ now })
    writeFileSync(join(folder, `${name}.pem`), new X509Certificate(sandbox.root).toString())
    const { clientId } = CLIENT
    const at = { name, title: `Sandbox ${legislation}`, baseUrl: `http://127.0.0.1:${port}/csc/v2` }
    rows.push({ ...at, clientId, clientSecretFile: "secret", legislation, kind, anchorsFile: `${name}.pem` })
    waiting.push({ name, port, sandbox, legislation })
  }
  const file = join(folder, "providers.json")
  writeFileSync(file, JSON.stringify(rows))
  const env = {
    QES_PROVIDERS_FILE: file,
    QES_ALLOWED_HOSTS: "127.0.0.1",
    REVOCATION_ALLOWED_HOSTS: "127.0.0.1",
  }
  const service = await start({ ...options, env: { ...env, ...options.env } })
  clockFile = service.env.CLOCK_FILE
  const providers: Provider[] = []
  for (const { name, port, sandbox, legislation } of waiting) {
    const clients = [{ ...CLIENT, redirectUris: [`${service.url}/qes/${name}/callback`] }]
    const started = await startCscProvider({ port, sandbox, now, clients, legislation, ...csc })
    providers.push({ ...started, name, sandbox })
  }
  return {
    service,
    providers,
    of: (legislation) => {
      const found = providers.find(({ name }) => name === legislation.toLowerCase())
      if (found === undefined) throw new Error(`There is no provider for ${legislation}.`)
      return found
    },
    roots: rows.map(({ anchorsFile }) => join(folder, anchorsFile)),
    close: async () => {
      await service.close()
      for (const one of providers) await one.close()
      for (const { sandbox } of waiting) await sandbox.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const aheadBy = (file: string | undefined): number =>
  file === undefined || !existsSync(file) ? 0 : Number(readFileSync(file, "utf8"))

export const GO = "/signature/release/provider"

export type Going = { readonly url: string; readonly cookie: string }

/** Presses the button that leads to the provider. */
export async function goAs(visitor: Visitor): Promise<Going> {
  const answer = await visitor.post(GO)
  if (answer.status !== 200) throw new Error(`The way answered ${answer.status}: ${answer.bytes}`)
  const held = answer.headers.getSetCookie().map((set) => /^[^;]+/.exec(set)?.[0] ?? "")
  return { url: answer.body.url, cookie: [visitor.cookie, ...held].join("; ") }
}

export const ADA: CscPerson = { login: "ada.lovelace@example.org" }

export const comeBackTo = (url: string, back: URL, cookie: string): Promise<Answer> =>
  call(url, "GET", back.pathname + back.search, undefined, { cookie })

/** There, with or without what was wanted, and back. */
export async function visitAs(
  service: Pick<Service, "url">,
  visitor: Visitor,
  person = ADA,
): Promise<Answer> {
  const { url, cookie } = await goAs(visitor)
  return comeBackTo(service.url, (await visitCscProvider(url, person)).back, cookie)
}

/** Waits until the documents are prepared for the certificate, and the person is asked to release its key. */
export const askedToGo = (visitor: Visitor, visit = "release") =>
  until(`the ${visit} is asked for`, async () => {
    const { screen, release } = await visitor.view()
    return screen === "release" && release.provider?.visit === visit && release
  })

/** By the link of the mail, to the provider twice, and back. */
export async function signQualified(
  { service }: Pick<Qualified, "service">,
  email: string,
  provider: string,
  person = ADA,
): Promise<Visitor> {
  const visitor = await enter(service, await linkMailedTo(email))
  const pressed = await signAs(visitor, "Somebody Else", provider)
  if (pressed.status !== 202) throw new Error(`The press answered ${pressed.status}: ${pressed.bytes}`)
  await visitAs(service, visitor, person)
  await askedToGo(visitor)
  await visitAs(service, visitor, person)
  return visitor
}
