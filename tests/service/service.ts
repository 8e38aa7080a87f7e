import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { withServiceScope } from "@paraph/store/postgres/service-scope"
import { databaseIn, templateOf } from "../../scripts/stack/template.ts"
import { clocksFolder } from "../../scripts/stack/trust.ts"
import { type Api, createApi } from "./api.ts"
import { startClerk } from "./clerk.ts"
import { COMPILED } from "./compiled.ts"
import { type ServerProcess, startProcess } from "./process.ts"
import { freePort, type StackAtHand, sharedStack } from "./settings.ts"

const run = promisify(execFile)
const SOURCES = resolve(import.meta.dirname, "../..")

export type Service = {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** Its own api and worker, each a process of its own. */
  readonly api: ServerProcess
  readonly worker: ServerProcess
  /** A client that is logged in with a demo key. */
  readonly caller: Api
  /** The id of the caller's business. */
  readonly business: string
  readonly username: string
  readonly demoKey: string
  readonly productionKey: string
  /** Types a command of `paraph` and reads the JSON that it prints. */
  readonly paraph: (...words: string[]) => Promise<Record<string, string>>
  readonly sql: (statement: string) => Promise<string>
  /** How far all of its processes are ahead of the real time, from now on. Tokens age with it. */
  readonly moveClock: (ms: number) => void
  readonly startApi: (env?: Record<string, string>) => Promise<ServerProcess>
  readonly startWorker: (env?: Record<string, string>) => Promise<ServerProcess>
  /** Ends every process that was started and takes the database away. */
  readonly close: () => Promise<void>
}

export type ServiceOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly worker?: boolean
  /** Whether its api processes also have that role, which starts more processes ahead. */
  readonly validation?: boolean
  /** Another stack than the shared one, for tests that take its parts away. */
  readonly stack?: StackAtHand
  /** The sources of another version, which makes the database, too; without authorities, and typed by nobody's clerk. */
  readonly sources?: string
  /** False: without authorities, as `paraph migrate` leaves it; nothing can be signed before `paraph ca init`. */
  readonly authorities?: boolean
}

/** A service of which nothing runs yet: its settings, its database, whoever starts and ends its processes. */
export async function prepareService(options: ServiceOptions = {}) {
  const { sources } = options
  const { env, url, database, stackUrl, template } = await settings(options)
  const clerk = startClerk(env)
  const paraph = async (...words: string[]) => {
    const isClerks = words[0] === "admin" && sources === undefined
    const printed = isClerks ? await clerk.admin(words.slice(1)) : await typed(env, words, sources)
    return printed.startsWith("{") ? (JSON.parse(printed) as Record<string, string>) : {}
  }
  await psql(stackUrl, `create database ${database}${template === null ? "" : ` template ${template}`}`)
  if (template === null) await paraph("migrate")

  const processes: ServerProcess[] = []
  const start = async (more: Record<string, string>, by = sources) => {
    const started = await startProcess({ ...env, ...more }, by)
    processes.push(started)
    return started
  }
  return {
    url,
    env,
    paraph,
    sql: (statement: string) => psql(env.DATABASE_OWNER_URL, statement),
    moveClock: (ms: number) => moveClock(env.CLOCK_FILE, ms),
    firstBusiness: () => firstBusiness(paraph),
    startApi: (more: Record<string, string> = {}, by = sources) =>
      start({ ROLES: options.validation === true ? "api,validation" : "api", ...more }, by),
    startWorker: (more: Record<string, string> = {}, by = sources) => start({ ROLES: "worker", ...more }, by),
    close: async () => {
      await Promise.all([...processes.map((p) => p.kill()), clerk.end()])
      await psql(stackUrl, `drop database ${database} with (force)`)
      rmSync(env.CLOCK_FILE, { force: true })
    },
  }
}

/** The whole service on a database of its own: migrated, with one business, one user and two keys. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { firstBusiness, ...prepared } = await prepareService(options)
  const [api, worker, first] = await Promise.all([
    prepared.startApi(),
    options.worker === false ? null : prepared.startWorker(),
    firstBusiness(),
  ])
  const caller = await createApi(prepared.url, first.username, first.demoKey)
  return { ...prepared, ...first, api, worker: worker ?? api, caller }
}

/** A business, a user of it, and a key of each kind. */
async function firstBusiness(paraph: Service["paraph"]) {
  const username = "acme-integration"
  const { business = "" } = await paraph("admin", "create-business", "--name", "Acme AG")
  await paraph("admin", "create-user", "--business", business, "--username", username)
  const newKey = async (kind: string) =>
    (await paraph("admin", "create-key", "--user", username, "--kind", kind))["api-key"] ?? ""
  const [demoKey, productionKey] = await Promise.all([newKey("demo"), newKey("production")])
  return { username, business, demoKey, productionKey }
}

/** What a command of `paraph` prints, by these sources or others. */
export async function typed(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  sources = SOURCES,
): Promise<string> {
  const all = { PATH: process.env.PATH, ...COMPILED, ...env }
  const paraph = join(sources, "apps/cli/src/main.ts")
  return (await run(process.execPath, [paraph, ...words], { env: all })).stdout
}

async function settings(options: ServiceOptions) {
  const { env: more = {}, stack = sharedStack(), sources } = options
  const { authorities = sources === undefined } = options
  const { dir, env: parts } = stack
  const { database: template, authorityUrl } = templateOf(dir)
  const database = `paraph_${randomBytes(6).toString("hex")}`
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    ...parts,
    ...databaseIn(parts, database),
    PUBLIC_URL: url,
    ...((authorities || sources !== undefined) && { CA_URL: authorityUrl }),
    // One that goes by the clock of this service.
    TIMESTAMP_URLS: (parts.TIMESTAMP_URLS ?? "").replace("/now/", `/${database}/`),
    HOST: "localhost",
    PORT: String(port),
    MANAGEMENT_PORT: "0",
    SANDBOX: "true",
    CALLBACK_ALLOWED_HOSTS: "localhost",
    DOWNLOAD_ALLOWED_HOSTS: "localhost",
    SWEEP_SECONDS: "1",
    CLOCK_FILE: join(clocksFolder(dir), `${database}.clock`),
    LOGINS_PER_USER: "1000",
    LOGINS_PER_ADDRESS: "1000",
    WRITES_PER_KEY: "1000000",
    READS_PER_KEY: "1000000",
    VALIDATIONS_PER_KEY: "1000000",
    PROTOCOLS_PER_KEY: "1000000",
    PAGES_PER_ADDRESS: "1000000",
    MAILS_PER_BUSINESS: "1000000",
    MAILS_PER_RECIPIENT: "1000000",
    DAILY_MAILS_PER_RECIPIENT: "1000000",
    DAILY_DEMO_MAILS_PER_RECIPIENT: "1000000",
    ...more,
  }
  return {
    env,
    url,
    database,
    stackUrl: parts.DATABASE_OWNER_URL ?? "",
    template: authorities ? template : null,
  }
}

/** In one step: whoever looks meanwhile sees the one or the other. */
function moveClock(file: string, ms: number): void {
  writeFileSync(`${file}.new`, String(ms))
  renameSync(`${file}.new`, file)
}

/** The rows of all tables, by the owner: PostgreSQL refuses to dump tables under row-level security unless told to apply it. */
export const dumpWords = (url = ""): readonly string[] => ["--enable-row-security", withServiceScope(url)]

/** By the owner, in the service scope (ADR 0091). */
export async function psql(url: string, statement: string): Promise<string> {
  const words = ["--no-psqlrc", "-At", "-v", "ON_ERROR_STOP=1", "-c", statement, withServiceScope(url)]
  const { stdout } = await run("psql", words, { maxBuffer: 1 << 28 })
  return stdout.trim()
}
