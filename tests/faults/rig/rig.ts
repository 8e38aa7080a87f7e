// The whole service as an operator runs it, on parts that can each be taken away.
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { down, up } from "../../../scripts/stack/stack.ts"
import { makeTemplate } from "../../../scripts/stack/template.ts"
import { createApi } from "../../service/api.ts"
import { prepareService } from "../../service/service.ts"
import { freePort, useStack } from "../../service/settings.ts"
import type { Tenant, World } from "./clients.ts"
import { type Fleet, startFleet } from "./fleet.ts"
import { openJournal } from "./journal.ts"
import { startEdge } from "./proxy.ts"
import { type RigOptions, type Surroundings, startSurroundings } from "./surroundings.ts"

type Prepared = Awaited<ReturnType<typeof prepareService>>

export type Rig = World &
  Omit<Surroundings, "close"> & {
    readonly dir: string
    readonly fleet: Fleet
    /** By the owner of the schema, at whoever is the primary. */
    readonly sql: (statement: string) => Promise<string>
    readonly paraph: (...words: string[]) => Promise<Record<string, unknown>>
    readonly moveClock: (ms: number) => void
    /** By the clock of the service. */
    readonly now: () => Date
    readonly close: () => Promise<void>
  }

export async function startRig(options: RigOptions): Promise<Rig> {
  const parent = await mkdtemp(join(tmpdir(), "paraph-rig-"))
  const dir = join(parent, "stack")
  await mkdir(dir)
  const stack = await up(dir)
  useStack(dir)
  await makeTemplate(stack)
  const around = await startSurroundings(stack, options)
  const service = await prepareService({ stack: { dir, env: around.env } })
  const { fleet, door } = await startBehindOneDoor(service)
  const tenants = await makeTenants(service, around.receiver.url)
  const journal = openJournal(join(dir, "journal.jsonl"))
  const { url, env, sql, paraph } = service
  let ahead = 0
  return {
    ...around,
    ...{ dir, fleet, tenants, journal, url, env, sql, paraph, receiverUrl: around.receiver.url },
    moveClock: (ms) => {
      ahead = ms
      service.moveClock(ms)
    },
    now: () => new Date(Date.now() + ahead),
    close: async () => {
      await fleet.stop()
      await service.close()
      journal.close()
      await door.close()
      await around.close()
      await down(dir, { purge: true })
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** Between the clients and the two who answer: whoever is up gets the next connection. */
async function startBehindOneDoor({ url, startApi, startWorker }: Prepared) {
  const ports = [await freePort(), await freePort()]
  let fleet: Fleet | undefined
  let turn = 0
  const door = await startEdge(Number(new URL(url).port), () => {
    const up = fleet?.ports() ?? []
    turn += 1
    return up[turn % Math.max(1, up.length)] ?? ports[0] ?? 0
  })
  fleet = await startFleet(
    (role, index, more) =>
      role === "api" ? startApi({ PORT: String(ports[index]), ...more }) : startWorker(more),
    ports,
  )
  return { fleet, door }
}

/** Two businesses, each with a webhook that is told of everything. */
async function makeTenants({ paraph, url }: Prepared, receiverUrl: string): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  for (const canary of ["kolibri", "walross"]) {
    const username = `${canary}-integration`
    const { business = "" } = await paraph("admin", "create-business", "--name", `${canary} AG`)
    await paraph("admin", "create-user", "--business", business, "--username", username)
    const { "api-key": key = "" } = await paraph("admin", "create-key", "--user", username, "--kind", "demo")
    const api = await createApi(url, username, key)
    const { status } = await api.post("/v2/webhooks", { url: `${receiverUrl}/hooks/${canary}` })
    if (status >= 300) throw new Error(`A webhook was refused: ${status}.`)
    tenants.push({ username, key, canary })
  }
  return tenants
}

export const loginAs = (rig: Rig, { username, key }: Tenant) => createApi(rig.url, username, key)
