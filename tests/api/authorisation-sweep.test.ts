import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Route, routeTable } from "../../apps/server/src/testing/route-table.ts"
import { call } from "../service/api.ts"
import { MANAGED } from "../service/managed-operations.ts"
import type { Actor } from "../service/sweep/actors.ts"
import { operationCalls, routeCalls, type SweepCall } from "../service/sweep/calls.ts"
import { changesIn, databaseState } from "../service/sweep/database-state.ts"
import { describedOperations } from "../service/sweep/described-operations.ts"
import { leaksIn } from "../service/sweep/oracle.ts"
import { send } from "../service/sweep/send.ts"
import { ENDS_SESSION, WEB_RULES } from "../service/sweep/web-routes.ts"
import { startWorld, type World } from "../service/sweep/world.ts"

/** Calls of one actor that are under way at once. */
const PARALLEL = 8
const SEED = 20_261_119

let world: World
let routes: readonly Route[]
beforeAll(async () => {
  routes = await routeTable()
  world = await startWorld()
}, 300_000)
afterAll(() => world?.service.close())

const nameOf = ({ method, url }: Route) => `${method} ${url}`
const isDescribed = ({ url }: Route) => /^\/(v[123]|validation\/v1)\/(?!api-docs)/.test(url)

function callsOf(actor: Actor): readonly SweepCall[] {
  const { service, victims } = world
  const victim = victims[actor.mode]
  return [
    ...describedOperations().flatMap((operation) => {
      const calls = operationCalls(operation, victim, SEED)
      // Without a token no body is read, so one will do.
      return actor.headers.authorization === undefined ? calls.slice(0, 1) : calls
    }),
    ...routes
      .filter((route) => !isDescribed(route))
      .flatMap((route) => routeCalls(route, victim, service.business, SEED)),
  ].filter(
    (each) =>
      !isRightfulChange(actor, each) && !(actor.isOracleTest && each.operation?.id === "sealDocument"),
  )
}

/** A change that an insider may make to what the business shares with it: it is no attack, and would spoil the next caller's. */
const isRightfulChange = (actor: Actor, { operation, method, route }: SweepCall): boolean =>
  actor.isInsider &&
  (route === "POST /app/api/signature/decline" ||
    (operation !== null &&
      method !== "GET" &&
      (["sealDocument", "changeGroup", "deleteGroup"].includes(operation.id) ||
        (operation.scope === "v3" && MANAGED[operation.id] !== undefined)) &&
      actor.mayCall(operation)))

/** Reads come first, and what ends an object or the caller's session comes last. */
const STEPS: readonly ((each: SweepCall) => boolean)[] = [
  ({ method }) => method === "GET",
  (each) => !isEnd(each),
  (each) => isEnd(each) && !ENDS_SESSION.includes(each.what),
  ({ what }) => ENDS_SESSION.includes(what),
]
const isEnd = ({ what, method }: SweepCall): boolean =>
  method === "DELETE" || what.endsWith("/withdraw") || ENDS_SESSION.includes(what)

/** Of the operations and routes, so many answer a rightful caller; the others need a signer, an identification or a worker. */
const REPORTED_AT_LEAST = 130

type Sent = { readonly call: SweepCall; readonly status: number; readonly leaks: readonly string[] }

async function sendAll(actor: Actor, calls: readonly SweepCall[]): Promise<readonly Sent[]> {
  const left = [...calls]
  const sent: Sent[] = []
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const answer = await send(world.service.url, actor, next)
      sent.push({ call: next, status: answer.status, leaks: leaksIn(actor, next, answer, world.canaries) })
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  return sent
}

/** Everything that the actor can send, and what the oracle reports of it. */
async function sweep(
  actor: Actor,
): Promise<{ readonly sent: readonly Sent[]; readonly rows: readonly string[] }> {
  const { service } = world
  const before = await databaseState(service)
  const left = new Set(callsOf(actor))
  const sent: Sent[] = []
  for (const [step, belongs] of STEPS.entries()) {
    const calls = [...left].filter(belongs)
    for (const each of calls) left.delete(each)
    if (step === STEPS.length - 1) await mustBeAlive(actor)
    sent.push(...(await sendAll(actor, calls)))
  }
  const { changed, added } = changesIn(before, await databaseState(service), service.business, actor.own)
  const rows = [
    ...changed.map((row) => `${actor.name}: changed ${row}`),
    ...(actor.isInsider ? [] : added.map((row) => `${actor.name}: added ${row}`)),
  ]
  return { sent, rows }
}

/** A token or session that has ended would find nothing either. */
async function mustBeAlive({ name, alive, headers }: Actor): Promise<void> {
  if (alive === null) return
  const { status } = await call(world.service.url, "GET", alive, undefined, headers)
  expect([name, status]).toEqual([name, 200])
}

describe("the authorisation sweep", () => {
  it("has a rule for each route of the server, and no rule for a route that is gone", () => {
    const described = new Set(
      describedOperations().map(
        ({ scope, method, path }) => `${method} /${scope}${path.replace(/\{(\w+)\}/g, ":$1")}`,
      ),
    )
    const unknown = routes.map(nameOf).filter((name) => WEB_RULES[name] === undefined && !described.has(name))
    expect(unknown).toEqual([])
    const gone = Object.keys(WEB_RULES).filter((name) => !routes.some((route) => nameOf(route) === name))
    expect(gone).toEqual([])
    expect(routes.filter(isDescribed).length).toBe(described.size)
  })

  it("finds 0 leaks in at least 3,000 calls by those who may not", async () => {
    const leaks: string[] = []
    let count = 0
    for (const actor of world.strangers) {
      const { sent, rows } = await sweep(actor)
      const found = [...sent.flatMap((each) => each.leaks), ...rows]
      leaks.push(...found)
      count += sent.length
    }
    process.stdout.write(`${count} calls by ${world.strangers.length} callers, ${leaks.length} leaks\n`)
    expect(leaks).toEqual([])
    expect(count).toBeGreaterThanOrEqual(3_000)
  }, 600_000)

  it("reports the rightful callers of the same objects, so the oracle can fail", async () => {
    const reported = new Set<string>()
    for (const actor of world.rightful) {
      const { sent, rows } = await sweep(actor)
      for (const each of sent) if (each.leaks.length > 0) reported.add(nameOfCall(each.call))
      expect([actor.name, rows.length > 0]).toEqual([actor.name, true])
    }
    process.stdout.write(`${reported.size} operations and routes are reported of rightful callers\n`)
    expect(reported.size).toBeGreaterThanOrEqual(REPORTED_AT_LEAST)
  }, 600_000)
})

/** An operation by its id, in whichever version; a route by its address. */
const nameOfCall = ({ operation, what }: SweepCall): string =>
  operation === null ? what : `${operation.scope === "validation/v1" ? "validation " : ""}${operation.id}`
