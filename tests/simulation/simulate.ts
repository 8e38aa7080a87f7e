import type { Document } from "@paraph/core/document/model"
import { integrate } from "./actors/integrator.ts"
import { createSigners } from "./actors/signer.ts"
import { createAsk } from "./api.ts"
import { breachesOf } from "./check/all.ts"
import { startFleet } from "./fleet.ts"
import { sha256 } from "./paper.ts"
import { workerParts } from "./parts.ts"
import { drawAuthority } from "./signing-parts.ts"
import { startWorker } from "./worker.ts"
import { newWorld, type Plant, type World } from "./world.ts"

export type Simulated = {
  readonly seed: number
  readonly breaches: readonly string[]
  /** Of every step in its order: the same for the same seed and the same sources. */
  readonly hash: string
  readonly steps: number
  readonly world: World
}

/** Whoever takes more steps than any run ever took goes round in circles. */
const STEPS_MAX = 400_000

/** One run: people, integrators, processes and faults, all drawn by the seed; then no more faults, until nothing is left to happen. */
export async function simulate(
  seed: number,
  options: { readonly plant?: Plant; readonly traced?: boolean } = {},
): Promise<Simulated> {
  const world = newWorld(seed, options)
  const authority = drawAuthority(world)
  const requests = world.random.pick([1, 1, 1, 2])
  for (let number = 1; number <= requests; number += 1)
    for (const n of [1, 2]) upload(world, `upload-${number}-${n}`)
  let onMail: (signatureId: string) => void = () => undefined
  const told = (signatureId: string) => onMail(signatureId)
  const fleet = startFleet(world, (process, kill) =>
    startWorker(world, process, workerParts(world, process, { authority, onMail: told, kill })),
  )
  const ask = createAsk(world, fleet)
  onMail = createSigners(world, ask).onMail
  for (let number = 1; number <= requests; number += 1) void integrate(world, ask, number)
  const isQuiet = await world.schedule.run(STEPS_MAX)
  const { schedule } = world
  return { seed, breaches: breachesOf(world, isQuiet), hash: schedule.hash(), steps: schedule.steps(), world }
}

/** A document that was there before. */
function upload({ state, records, now }: World, id: string): void {
  const text = `${id} of somebody`
  const blob = { name: `object of ${id}`, wrappedKey: new Uint8Array(), keyVersion: 1 }
  const document: Document = {
    id,
    businessId: "business",
    kind: "demo",
    ownerId: "user",
    owner: "acme-integration",
    title: "Contract",
    contentType: "application/pdf",
    sizeBytes: text.length,
    sha256: sha256(text),
    pageCount: 1,
    pageWidth: 595,
    pageHeight: 842,
    pageSizes: [{ count: 1, width: 595, height: 842 }],
    signatureFields: [],
    pdfa: null,
    parentId: null,
    blob,
    readAccess: [],
    writeAccess: [],
    createdAt: now(),
    updatedAt: now(),
    viewChecked: true,
    flattened: null,
    removingSince: null,
  }
  state.documents.set(id, document)
  records.objects.set(blob.name, text)
  records.versions.set(id, { document, text })
}
