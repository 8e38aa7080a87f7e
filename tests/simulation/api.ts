import type { Caller } from "@paraph/core/access/caller"
import type { Held } from "@paraph/core/document/ports"
import { Refusal } from "@paraph/core/refusal"
import type { CreateRequestParts } from "@paraph/core/signature-request/create"
import type { ConsentParts } from "@paraph/core/signature-request/request-signing"
import type { ViewParts } from "@paraph/core/signature-request/view"
import type { Fleet } from "./fleet.ts"
import { sha256 } from "./paper.ts"
import { ZONE } from "./parts.ts"
import type { Process } from "./schedule.ts"
import { documentParts } from "./signing-parts.ts"
import {
  type Claim,
  claimKey,
  createTransact,
  keepAnswer,
  LEASE_MS,
  letGo,
  renewClaim,
} from "./store/keys.ts"
import { createRead } from "./store/reading.ts"
import { latency, pause, type World } from "./world.ts"

export const CALLER: Caller = {
  businessId: "business",
  userId: "user",
  username: "acme-integration",
  keyId: "key",
  kind: "demo",
}

export type ApiParts = CreateRequestParts &
  ConsentParts &
  ViewParts & { readonly hold: (text: string) => Held }

/** What a client hears: an answer, a refusal, that something went wrong, or nothing at all. */
export type Answer<T> =
  | { readonly type: "ok"; readonly value: T }
  | { readonly type: "refused"; readonly code: string }
  | { readonly type: "fault" }
  | { readonly type: "silence" }

export type Ask = <T>(
  label: string,
  work: (parts: ApiParts) => Promise<T>,
  /** By a key it is done once; who asks after that is told what came of it. */
  key?: string,
) => Promise<Answer<T>>

/** After which a client hangs up. */
const PATIENCE_MS = 35_000
/** As `http/idempotency`: so long somebody waits for the first one to be done. */
const RUNNING_MS = 20_000

/** A call to one of the processes, over a network that may lose the question, the answer, or the process in between. */
export const createAsk = (world: World, fleet: Fleet): Ask => {
  const { schedule, random } = world
  const soon = () => schedule.now() + latency(world)
  return <T>(label: string, work: (parts: ApiParts) => Promise<T>, key?: string) =>
    new Promise<Answer<T>>((resolve) => {
      const process = random.pick(fleet.apis())
      let isOver = false
      const hear = (answer: Answer<T>) => {
        if (isOver) return
        isOver = true
        schedule.note(`heard of ${label}: ${answer.type}`)
        resolve(answer)
      }
      schedule.at(schedule.now() + PATIENCE_MS, null, `patience for ${label}`, () =>
        hear({ type: "silence" }),
      )
      if (!process.alive)
        return schedule.at(soon(), null, `${label}: nobody there`, () => hear({ type: "fault" }))
      schedule.at(soon(), process, label, () => {
        void handle(world, process, work, key).then((answer) => {
          // What the network loses is heard of by nobody.
          const isLost = schedule.now() < world.faults.until && random.next() < 0.01
          if (process.alive && !isLost) schedule.at(soon(), null, `answer to ${label}`, () => hear(answer))
        })
      })
    })
}

async function handle<T>(
  world: World,
  process: Process,
  work: (parts: ApiParts) => Promise<T>,
  key: string | undefined,
): Promise<Answer<T>> {
  if (key === undefined) return answerOf(work(apiParts(world, process, null)))
  return underKey(world, process, work, key).catch(() => ({ type: "fault" }) as const)
}

/** As `http/idempotency`: a refusal is an answer like any other, a fault is none. */
async function underKey<T>(
  world: World,
  process: Process,
  work: (parts: ApiParts) => Promise<T>,
  key: string,
): Promise<Answer<T>> {
  const until = world.schedule.now() + RUNNING_MS
  for (let wait = 25; ; wait = Math.min(wait * 1.5, 500)) {
    const found = await claimKey(world, process, key)
    if (found.type === "ours") return claimed(world, process, work, found.claim)
    if (found.type === "answered")
      return found.answer.status === "ok"
        ? { type: "ok", value: found.answer.value as T }
        : { type: "refused", code: String(found.answer.value) }
    if (found.type === "done") {
      const request = await readAgain(world, process, found.result)
      // It was done, but nothing was changed by it, or what it made is gone.
      if (request === null) return { type: "refused", code: "idempotency-conflict" }
      await keepAnswer(world, process, found.claim, { status: "ok", value: request.id })
      return { type: "ok", value: request.id as T }
    }
    if (world.schedule.now() > until) return { type: "refused", code: "idempotency-running" }
    await pause(world, process, wait)
  }
}

const readAgain = async (world: World, process: Process, id: string | null) =>
  id === null ? null : createRead(world, process)("business", (reading) => reading.findRequest(id))

async function claimed<T>(
  world: World,
  process: Process,
  work: (parts: ApiParts) => Promise<T>,
  claim: Claim,
): Promise<Answer<T>> {
  let isOver = false
  const renew = () =>
    world.schedule.at(world.schedule.now() + LEASE_MS / 3, process, "renew claim", () => {
      if (isOver) return
      renewClaim(world, process, claim).catch(() => undefined)
      renew()
    })
  renew()
  const answer = await answerOf(work(apiParts(world, process, claim)))
  isOver = true
  const kept =
    answer.type === "ok"
      ? keepAnswer(world, process, claim, { status: "ok", value: answer.value })
      : answer.type === "refused" && answer.code !== "idempotency-running"
        ? keepAnswer(world, process, claim, { status: "refused", value: answer.code })
        : letGo(world, process, claim)
  await kept.catch(() => undefined)
  return answer
}

const answerOf = <T>(working: Promise<T>): Promise<Answer<T>> =>
  working.then(
    (value) => ({ type: "ok", value }),
    (error: unknown) =>
      error instanceof Refusal ? { type: "refused", code: error.code } : ({ type: "fault" } as const),
  )

const apiParts = (world: World, process: Process, claim: Claim | null): ApiParts => ({
  ...documentParts(world, process),
  transact: createTransact(world, process, claim),
  read: createRead(world, process),
  fetchFile: () => Promise.reject(new Error("Nobody gives an address here.")),
  flattenPdf: () => Promise.reject(new Error("No document is flattened here.")),
  now: world.now,
  newId: () => world.newId("id"),
  sha256,
  kinds: ["demo"],
  timeZone: ZONE,
  identificationProviders: [],
  identityProviders: [],
  productionQualities: ["SES"],
  remoteProviders: [],
})
