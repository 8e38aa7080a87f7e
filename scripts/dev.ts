// `npm run dev`: the whole service on this machine, with real parts, ready for a first signature.
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join, resolve } from "node:path"
import { startSandboxIdentity } from "@paraph/cli/sandbox/identity"
import { startSandboxQualified } from "@paraph/cli/sandbox/qualified"
import { root, up } from "./stack/stack.ts"

type Dev = { readonly username: string; readonly apiKey: string; readonly business?: string }

type Authority = { readonly kind: string; readonly name: string; readonly state: string }

const dir = resolve(process.env.PARAPH_STACK ?? join(root, ".stack", "dev"))
const PARAPH = join(root, "apps/cli/src/main.ts")
const WANTED_PORT = 8080

async function main(): Promise<void> {
  console.log("Starting PostgreSQL, the S3 server, the mailbox, the key store and the time-stamps …")
  const stack = await up(dir)
  const port = await portFrom(WANTED_PORT)
  const managementPort = await portFrom(port + 1)
  const url = `http://localhost:${port}`
  const identity = await startSandboxIdentity(dir, url)
  const qualified = await startSandboxQualified(dir, url)
  const env = {
    ...stack.env,
    ...identity.env,
    ...qualified.env,
    PUBLIC_URL: url,
    HOST: "localhost",
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
    SANDBOX: "true",
    CALLBACK_ALLOWED_HOSTS: "localhost",
    DOWNLOAD_ALLOWED_HOSTS: "localhost",
    CA_URL: authorityUrl(url),
  }
  paraph(env, "migrate")
  makeAuthorities(env)
  const isBuilt = (app: string) => existsSync(join(root, "apps", app, "dist/index.html"))
  if (!(isBuilt("signing") && isBuilt("console"))) npm("run", "build")
  const dev = firstKey(env)
  if (dev.business !== undefined)
    paraph(env, "admin", "set-feature", "--business", dev.business, "--feature", "express_qes", "--on")
  const server = spawn(process.execPath, [join(root, "apps/server/src/main.ts")], {
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" },
    stdio: "inherit",
  })
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal))
  server.on("exit", (code) => process.exit(code ?? 0))
  console.log(welcome(url, managementPort, stack.env.MAILBOX_URL ?? "", dev))
}

function paraph(env: Readonly<Record<string, string>>, ...words: string[]): Record<string, string> {
  const options = { env: { PATH: process.env.PATH, ...env }, encoding: "utf8" } as const
  const out = execFileSync(process.execPath, [PARAPH, ...words], options)
  return out.startsWith("{") ? (JSON.parse(out) as Record<string, string>) : {}
}

const npm = (...words: string[]) => execFileSync("npm", words, { cwd: root, stdio: "inherit" })

/** The address stands in every certificate, so it stays that of the first day when the port is another one today. */
function authorityUrl(url: string): string {
  const file = join(dir, "authority-url")
  if (!existsSync(file)) writeFileSync(file, url)
  return readFileSync(file, "utf8")
}

/** What a set-up that was interrupted has begun, a worker ends; only the root is nobody's to make but here. */
function makeAuthorities(env: Readonly<Record<string, string>>): void {
  const { authorities = [] } = paraph(env, "ca", "list") as unknown as { authorities: Authority[] }
  for (const kind of ["demo", "production"]) {
    if (authorities.some((one) => one.kind === kind && one.name.startsWith("root") && one.state === "active"))
      continue
    paraph(env, "ca", "init", "--kind", kind, "--organization", "Acme AG", "--country", "CH")
  }
}

/** A business, a user and a demo key, made once and kept with the stack. */
function firstKey(env: Readonly<Record<string, string>>): Dev {
  const file = join(dir, "dev.json")
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Dev
  const username = "acme"
  const { business = "" } = paraph(env, "admin", "create-business", "--name", "Acme AG")
  paraph(env, "admin", "create-user", "--business", business, "--username", username)
  const key = paraph(env, "admin", "create-key", "--user", username, "--kind", "demo")
  const dev = { username, apiKey: key["api-key"] ?? "", business }
  writeFileSync(file, JSON.stringify(dev), { mode: 0o600 })
  return dev
}

/** The wanted port, or the next one that nobody uses. */
async function portFrom(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 100; port += 1)
    if (await new Promise<boolean>((done) => tryPort(port, done))) return port
  throw new Error(`No free port from ${wanted} on.`)
}

function tryPort(port: number, done: (free: boolean) => void): void {
  const server = createServer()
    .once("error", () => done(false))
    .listen(port, "localhost", () => server.close(() => done(true)))
}

const welcome = (url: string, managementPort: number, mailbox: string, dev: Dev) => `
Paraph is up. Nothing signed here has legal effect.

  the service   ${url}
  the mails     ${mailbox}
  health        http://localhost:${managementPort}/management/health

Your first signature, in a second terminal:

  TOKEN=$(curl -s ${url}/v2/access/login -H 'content-type: application/json' \\
    -d '{"username":"${dev.username}","api-key":"${dev.apiKey}"}')

  curl -s ${url}/v2/signature-requests -H "authorization: Bearer $TOKEN" \\
    -H 'content-type: application/json' -d "{\\"title\\":\\"My first contract\\",
    \\"content\\":\\"$(base64 -w0 docs/example.pdf)\\",
    \\"signatures\\":[{\\"account_email\\":\\"you@example.org\\"}]}"

Then open the mails, press the button in the invitation, and sign.
Somebody who is identified on the way, by a provider that believes every name, has these members beside account_email:

    \\"signer_identity_data\\":{\\"provider\\":\\"demo_ident\\",\\"first_name\\":\\"Ada\\",\\"last_name\\":\\"Lovelace\\",
    \\"mobile_number\\":\\"+41790000000\\",\\"issuing_country\\":\\"CH\\",\\"identification_require_evidence\\":true}

A qualified signature, by a demo provider where everybody has a certificate of their name, is asked for by

    \\"quality\\":\\"QES\\",\\"legislation\\":\\"EIDAS\\"

Ctrl-C stops the service; npm run stack -- down --dir ${dir} stops the rest.
`

await main()
