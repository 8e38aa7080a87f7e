import { readFileSync, writeFileSync } from "node:fs"
import { type Api, createApi } from "../api.ts"
import { registryOf } from "../identification.ts"
import { memberApi } from "../members.ts"
import { newAddress } from "../requests.ts"
import { createSeal, switchSealing } from "../sealing.ts"
import { type Service, startService } from "../service.ts"
import { nothingUnderWay } from "../under-way.ts"
import type { Actor } from "./actors.ts"
import { type Canaries, createCanaries } from "./canaries.ts"
import { foreignActors } from "./foreign-actors.ts"
import { insideActors } from "./inside-actors.ts"
import { rightfulActors } from "./rightful-actors.ts"
import { signingActors } from "./signing-actors.ts"
import { type Insiders, makeVictim, type Victim } from "./victim.ts"

export type World = {
  readonly service: Service
  readonly canaries: Canaries
  readonly victims: Readonly<Record<"demo" | "production", Victim>>
  /** Callers who must neither learn nor change anything of the victim's objects but what their row allows. */
  readonly strangers: readonly Actor[]
  /** The rightful callers of the same objects, by whom the oracle is tested. */
  readonly rightful: readonly Actor[]
}

/** What the actors are made from. */
export type Scene = Pick<World, "service" | "canaries" | "victims"> & {
  /** The owner of the production objects, by a key. */
  readonly production: Api
  readonly names: Insiders
}

/** A business with objects of every kind, and each kind of caller that may try to reach them. */
export async function startWorld(): Promise<World> {
  const service = await startService({
    validation: true,
    env: { IDENTIFICATION_REGISTRY_FILE: registry() },
  })
  try {
    return await populate(service)
  } catch (error) {
    await service.close()
    throw error
  }
}

async function populate(service: Service): Promise<World> {
  for (const feature of ["expires_at", "express_qes", "vouching", "group_observers"])
    await service.paraph(
      ...["admin", "set-feature", "--business", service.business, "--feature", feature, "--on"],
    )
  await switchSealing(service, service.business, "--on")
  await createSeal(service, "main")
  const scene = await makeScene(service)
  const [foreign, inside, signing, rightful] = await Promise.all([
    foreignActors(scene),
    insideActors(scene),
    signingActors(scene),
    rightfulActors(scene),
  ])
  const { canaries, victims } = scene
  for (const { requestId } of Object.values(victims).flatMap((each) => Object.values(each)))
    await nothingUnderWay(service, requestId)
  // Without a worker, only calls change rows.
  await service.worker.kill()
  return { service, canaries, victims, strangers: [...foreign, ...inside, ...signing], rightful }
}

/** One provider, in both modes. */
function registry(): string {
  const file = registryOf("production")
  const [row] = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, JSON.stringify([row, { ...row, kind: "demo" }]))
  return file
}

async function makeScene(service: Service): Promise<Scene> {
  const canaries = createCanaries()
  const { url, username: owner } = service
  const production = await createApi(url, owner, service.productionKey)
  const names = {
    reader: "reader",
    writer: "writer",
    observer: newAddress("observer"),
    signer: newAddress("signer"),
  }
  const [ofProduction, ofDemo] = await Promise.all([
    makeVictim({
      ...{ api: production, url, owner, insiders: names, canaries: canaries.of("production") },
      person: await memberApi(service, "owner", { kind: "production" }),
    }),
    makeVictim({
      ...{ api: service.caller, url, owner, canaries: canaries.of("demo") },
      insiders: { ...names, signer: newAddress("demo-signer") },
      person: await memberApi(service, "owner"),
    }),
  ])
  const victims = { production: ofProduction, demo: ofDemo }
  return { service, canaries, victims, production, names }
}
