import { execFile, spawn } from "node:child_process"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createOwnBucket } from "@paraph/store/testing/own-bucket"
import { COMPILED } from "../service/compiled.ts"
import { startProcess } from "../service/process.ts"
import { prepareService, psql } from "../service/service.ts"
import { freePort, stackSettings } from "../service/settings.ts"

const PARAPH = resolve(import.meta.dirname, "../../apps/cli/src/main.ts")

export type Business = {
  readonly id: string
  readonly username: string
  readonly demoKey: string
}

type Env = Readonly<Record<string, string>>
export type Ran = { readonly code: number; readonly out: string; readonly err: string }
export type CellUnderTest = Awaited<ReturnType<typeof startCell>>
export type Region = Awaited<ReturnType<typeof startRegion>>

/** Two cells on one machine, each with a database, a bucket, an operator's key and a token key of its own, and a router before both. */
export async function startRegion() {
  const folder = await mkdtemp(join(tmpdir(), "paraph-region-"))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const owner = stackSettings().DATABASE_OWNER_URL ?? ""
  const database = `paraph_directory_${randomBytes(4).toString("hex")}`
  await psql(owner, `create database ${database}`)
  const directoryUrl = Object.assign(new URL(owner), { pathname: `/${database}` }).href
  const [a, b] = await Promise.all([startCell("a", url, folder), startCell("b", url, folder)])
  const cells = [a, b].map(({ name, direct, management, settings }) => ({
    name,
    url: direct,
    management,
    settings,
  }))
  const env = { CELLS_FILE: join(folder, "cells.json"), DIRECTORY_URL: directoryUrl }
  await writeFile(env.CELLS_FILE, JSON.stringify({ cells }))
  const paraph = (words: readonly string[], more: Env = env): Promise<Ran> => run(words, more)
  const { code, err } = await paraph(["cells", "init"])
  if (code !== 0) throw new Error(err)
  const router = await startProcess(
    { ...env, PUBLIC_URL: url, HOST: "localhost", PORT: String(port) },
    undefined,
    "router",
  )
  return {
    url,
    a,
    b,
    router,
    folder,
    paraph,
    directory: (statement: string) => psql(directoryUrl, statement),
    /** A move that somebody ends in the middle: at the first line of its that says so. */
    killedMove: (words: readonly string[], at: RegExp) => killed(words, env, at),
    close: async () => {
      await router.kill()
      await Promise.all([a.close(), b.close()])
      await psql(owner, `drop database ${database} with (force)`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startCell(name: "a" | "b", publicUrl: string, folder: string) {
  const bucket = await createOwnBucket()
  const managementPort = await freePort()
  const tokenKey = join(folder, `${name}-token-key.pem`)
  const { privateKey } = generateKeyPairSync("ed25519")
  await writeFile(tokenKey, privateKey.export({ type: "pkcs8", format: "pem" }))
  const service = await prepareService({
    env: {
      PUBLIC_URL: publicUrl,
      CELL: name,
      MANAGEMENT_PORT: String(managementPort),
      S3_BUCKET: bucket.settings.bucket,
      KEK: randomBytes(32).toString("hex"),
      TOKEN_KEY_FILE: tokenKey,
      TRUSTED_PROXIES: "127.0.0.1,::1",
      LOG_CHECKPOINT_SECONDS: "1",
    },
  })
  const settings = join(folder, `${name}.env`)
  const lines = Object.entries(service.env).map(([key, value]) => `${key}='${value}'`)
  await writeFile(settings, `${lines.join("\n")}\n`)
  const [api, worker] = await Promise.all([service.startApi(), service.startWorker({ MANAGEMENT_PORT: "0" })])
  return {
    ...service,
    name,
    api,
    worker,
    direct: service.url,
    management: `http://127.0.0.1:${managementPort}`,
    settings,
    bucket,
    newBusiness: (username: string) => newBusiness(service.paraph, username),
    check: (words: readonly string[]) => run(words, service.env),
    close: async () => {
      await service.close()
      await bucket.close()
    },
  }
}

async function newBusiness(
  paraph: (...words: string[]) => Promise<Record<string, string>>,
  username: string,
): Promise<Business> {
  const { business: id = "" } = await paraph("admin", "create-business", "--name", `${username} AG`)
  await paraph("admin", "create-user", "--business", id, "--username", username)
  const { "api-key": demoKey = "" } = await paraph(
    "admin",
    "create-key",
    "--user",
    username,
    "--kind",
    "demo",
  )
  return { id, username, demoKey }
}

const run = (words: readonly string[], env: Env): Promise<Ran> =>
  new Promise((done) => {
    const options = { env: { PATH: process.env.PATH, ...COMPILED, ...env }, maxBuffer: 64_000_000 }
    execFile(process.execPath, [PARAPH, ...words], options, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
    )
  })

function killed(words: readonly string[], env: Env, at: RegExp): Promise<string> {
  const child = spawn(process.execPath, [PARAPH, ...words], {
    env: { PATH: process.env.PATH, ...COMPILED, ...env },
  })
  let said = ""
  return new Promise((done) => {
    child.stderr.on("data", (piece: Buffer) => {
      said += piece.toString()
      if (at.test(said)) child.kill("SIGKILL")
    })
    child.once("exit", () => done(said))
  })
}
