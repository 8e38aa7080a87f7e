// One, two and four api processes that answer the same read, and workers that sign, each held to a part of a core.
import { newAddress, sentTo } from "../../service/requests.ts"
import type { Service } from "../../service/service.ts"
import { freePort } from "../../service/settings.ts"
import { type Bench, learnTables } from "../harness/bench.ts"
import { type Call, type Caller, closedLoop, openCaller } from "../harness/drive.ts"
import { median } from "../harness/figure.ts"
import { holdTo } from "../harness/share-of-a-core.ts"
import { openSessions, SHARE, signBy, WARMING } from "./sign.ts"

const WIDTHS = [1, 2, 4] as const
const AT_ONCE = 16
const SHARE_OF_API = 0.15

export async function width(
  bench: Bench,
  { rounds, calls, signatures }: { rounds: number; calls: number; signatures: number },
): Promise<readonly string[]> {
  const reads = await readsASecond(bench, rounds, calls)
  const signed = await signedASecond(bench, signatures)
  const row = (what: string, all: readonly number[]) =>
    `| ${[what, ...all.map((one) => `${one.toFixed(1)} (${(one / (all[0] ?? 1)).toFixed(2)} ×)`)].join(" | ")} |`
  return [
    "| a second | one | two | four |",
    "| --- | --- | --- | --- |",
    row(`reads, by so many api processes, each held to ${SHARE_OF_API} of a core`, reads),
    row(`signatures, by so many workers, each held to ${SHARE} of a core`, signed),
  ]
}

const readsASecond = (bench: Bench, rounds: number, calls: number): Promise<readonly number[]> =>
  bench.withService({ worker: false }, async (service) => {
    const { id } = await sentTo(service.caller, "v2", [newAddress("a"), newAddress("b")])
    const headers = { authorization: `Bearer ${service.caller.token}` }
    const call = { method: "GET", path: `/v2/signature-requests/${id}`, headers } as const
    const aside: Aside[] = []
    await learnTables(service)
    const figures: number[] = []
    for (const wide of WIDTHS) {
      while (aside.length < wide) aside.push(await startAside(service, call))
      const act = () => closedLoop(calls, AT_ONCE, async (n) => aside[n % wide]?.caller.ask(call))
      const measured: number[] = []
      for (let n = 0; n < rounds; n += 1) {
        const started = performance.now()
        await act()
        measured.push((1000 * calls) / (performance.now() - started))
      }
      figures.push(median(measured))
    }
    for (const { end } of aside) await end()
    return figures
  })

type Aside = { readonly caller: Caller; readonly end: () => Promise<void> }

/** An api process of its own: warm, and then held. */
async function startAside(service: Service, call: Call): Promise<Aside> {
  const port = String(await freePort())
  const api = await service.startApi({ PORT: port })
  const caller = openCaller(`http://localhost:${port}`, AT_ONCE)
  await closedLoop(2_000, AT_ONCE, () => caller.ask(call))
  const letGo = holdTo(SHARE_OF_API, api.pid)
  const end = async () => {
    caller.close()
    await api.stop()
    letGo()
  }
  return { caller, end }
}

const signedASecond = (bench: Bench, signatures: number): Promise<readonly number[]> =>
  bench.withService({}, async (service) => {
    const all = WIDTHS.reduce((sum, wide) => sum + signatures + wide * WARMING, 0)
    const sessions = await openSessions(service, all)
    await service.worker.stop()
    const figures: number[] = []
    for (const wide of WIDTHS) {
      const warming = sessions.splice(0, wide * WARMING)
      const pressing = { warming, pressed: sessions.splice(0, signatures) }
      const { clockMs } = await signBy(bench, service, { count: wide, share: SHARE }, pressing)
      figures.push(1000 / clockMs)
    }
    return figures
  })
