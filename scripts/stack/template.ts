// A database with the tables, and with authorities of both kinds (ADR 0038) whose keys lie in the stack's tokens: the databases
// of tests are copies of it, so that they begin at once and sign under the same roots.
import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { writePrivate } from "@paraph/cli/sandbox/private-file"
import type { Env } from "./env.ts"
import { run } from "./process.ts"
import { root, type Stack } from "./stack.ts"
import { locked } from "./state.ts"

const PARAPH = join(root, "apps/cli/src/main.ts")
const TEMPLATE = "paraph_template"
const KINDS = ["demo", "production"] as const

/** What a test's service needs beside the stack's settings. */
export type Template = {
  readonly database: string
  /** Where certificates of these authorities send those who ask. Nobody is there: workers ask themselves. */
  readonly authorityUrl: string
  /** PEM: the roots of both kinds. */
  readonly rootFiles: Readonly<Record<(typeof KINDS)[number], string>>
}

export const templateOf = (dir: string): Template => ({
  database: TEMPLATE,
  authorityUrl: "http://pki.paraph.test",
  rootFiles: {
    demo: join(dir, "trust", "root-demo.pem"),
    production: join(dir, "trust", "root-production.pem"),
  },
})

/** Made where there is none, and anew where it is of other sources, or where the tokens have lost its keys. */
export function makeTemplate({ dir, env }: Pick<Stack, "dir" | "env">): Promise<Template> {
  const template = templateOf(dir)
  const doneFile = join(dir, "trust", "template.json")
  return locked(dir, async () => {
    const done = await readFile(doneFile, "utf8").then(JSON.parse, () => null)
    const sources = await fingerprint(env)
    if (done?.sources === sources && done.keys.every((key: string) => keysIn(dir).includes(key)))
      return template
    await fill(env, template)
    await writePrivate(doneFile, JSON.stringify({ sources, keys: keysIn(dir) }))
    return template
  })
}

/** The addresses of another database than the stack's own, by both roles. */
export function databaseIn(env: Env, database: string) {
  // Not read as a URL: one that names several hosts is none.
  const at = (url = "") => url.replace(/^([^/]*\/\/[^/]*\/)[^?]*/, `$1${database}`)
  return { DATABASE_URL: at(env.DATABASE_URL), DATABASE_OWNER_URL: at(env.DATABASE_OWNER_URL) }
}

async function fill(env: Env, { database, authorityUrl, rootFiles }: Template): Promise<void> {
  const home = env.DATABASE_OWNER_URL ?? ""
  const urls = databaseIn(env, database)
  await psql(home, `drop database if exists ${database} with (force)`)
  await psql(home, `create database ${database}`)
  const settings = { ...env, ...urls, CA_URL: authorityUrl }
  const paraph = (...words: string[]) =>
    run(process.execPath, [PARAPH, ...words], {
      env: { PATH: process.env.PATH, ...settings, PUBLIC_URL: "http://localhost", SANDBOX: "true" },
    })
  await paraph("migrate")
  for (const kind of KINDS) {
    await paraph("ca", "init", "--kind", kind, "--organization", "Paraph tests", "--country", "CH")
    const of = `from authority where kind = '${kind}' and role = 'root'`
    const base64 = await psql(urls.DATABASE_URL, `select encode(certificate, 'base64') ${of}`)
    const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
    await writePrivate(rootFiles[kind], pem)
  }
}

/** Of the settings, the tables and the authorities: whatever changes, the next one is made anew. */
async function fingerprint(env: Env): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(env))
  const sources = ["packages/store/src/postgres/migrations", "packages/gateways/src/issuing-ca"]
  for (const folder of sources)
    for (const file of globSync(join(root, folder, "*.{sql,ts}")).sort())
      if (!file.endsWith(".test.ts")) hash.update(await readFile(file))
  return hash.digest("hex")
}

/** SoftHSM2 keeps each object in a file. */
const keysIn = (dir: string): readonly string[] => globSync("softhsm/tokens/*/*.object", { cwd: dir })

async function psql(url: string, statement: string): Promise<string> {
  const { stdout } = await run("psql", ["--no-psqlrc", "-qAt", "-v", "ON_ERROR_STOP=1", "-c", statement, url])
  return stdout.trim()
}
