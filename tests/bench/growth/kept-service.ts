// A service whose database stays when it ends: filling it takes longer than measuring it.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Stack } from "../../../scripts/stack/stack.ts"
import { createApi } from "../../service/api.ts"
import { startProcess } from "../../service/process.ts"
import { psql, type Service, startService } from "../../service/service.ts"
import { makeTemplates, type Templates } from "./templates.ts"

type Kept = Pick<Service, "env" | "business" | "username" | "demoKey"> & {
  readonly templates: Templates
  readonly filledTo: number
}
export type Filled = Kept & Pick<Service, "sql">

/** Among the secrets, which its settings are full of, and which go when the stack is purged. */
const fileOf = ({ dir }: Stack, name: string) => join(dir, "secrets", `${name}.filled.json`)

export function keepFilled(stack: Stack, name: string, filled: Filled, filledTo: number): Filled {
  const { env, business, username, demoKey, templates } = filled
  const kept: Kept = { env, business, username, demoKey, templates, filledTo }
  writeFileSync(fileOf(stack, name), JSON.stringify(kept), { mode: 0o600 })
  return { ...filled, filledTo }
}

export async function findFilled(stack: Stack, name: string): Promise<Filled> {
  if (existsSync(fileOf(stack, name))) {
    const kept = JSON.parse(readFileSync(fileOf(stack, name), "utf8")) as Kept
    return { ...kept, sql: (statement) => psql(kept.env.DATABASE_OWNER_URL ?? "", statement) }
  }
  // By the machine's own clock, as in production; and who sweeps is told to.
  const service = await startService({ stack, env: { CLOCK_FILE: "", SWEEP_SECONDS: "3600" } })
  const templates = await makeTemplates(service)
  await Promise.all([service.worker.stop(), service.api.stop()])
  return keepFilled(stack, name, { ...service, templates, filledTo: 0 }, 0)
}

/** An api process on it, and somebody who is logged in. */
export async function serve({ env, username, demoKey }: Filled) {
  const api = await startProcess({ ...env, ROLES: "api" })
  const url = env.PUBLIC_URL ?? ""
  return { url, api, caller: await createApi(url, username, demoKey) }
}
