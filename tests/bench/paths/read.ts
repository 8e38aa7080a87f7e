// GET of a request with two signers, beside Fastify with one indexed read of the same row and an answer of the same size.
import { fork } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { newAddress, sentTo } from "../../service/requests.ts"
import type { Service } from "../../service/service.ts"
import { type Bench, learnTables, spentBy } from "../harness/bench.ts"
import { closedLoop, openCaller } from "../harness/drive.ts"
import { atMost, type Figure, median } from "../harness/figure.ts"

const BARE = resolve(import.meta.dirname, "../harness/bare-api.ts")
const AT_ONCE = 8

export const read = (bench: Bench, { rounds, calls }: { rounds: number; calls: number }): Promise<Figure> =>
  bench.withService({ worker: false }, async (service) => {
    const { id } = await sentTo(service.caller, "v2", [newAddress("a"), newAddress("b")])
    const path = `/v2/signature-requests/${id}`
    const bare = await startBare(service, id, (await service.caller.get(path)).body)
    const headers = { authorization: `Bearer ${service.caller.token}` }
    const [ours, theirs] = [openCaller(service.url, AT_ONCE), openCaller(bare.url, AT_ONCE)]
    const spent = { ours: [] as number[], bare: [] as number[] }
    const askOurs = () => closedLoop(calls, AT_ONCE, () => ours.ask({ method: "GET", path, headers }))
    const askBare = () =>
      closedLoop(calls, AT_ONCE, () => theirs.ask({ method: "GET", path: `/requests/${id}` }))
    await learnTables(service)
    await askOurs()
    await askBare()
    const where: Awaited<ReturnType<typeof spentBy>>[] = []
    for (let n = 0; n < rounds; n += 1) {
      const ofOurs = await spentBy(bench.stack, [service.api.pid], askOurs)
      const ofBare = await spentBy(bench.stack, [bare.pid], askBare)
      where.push(ofOurs, ofBare)
      spent.ours.push((ofOurs.program + ofOurs.postgres) / calls)
      spent.bare.push((ofBare.program + ofBare.postgres) / calls)
    }
    if (process.env.BENCH_DETAIL) console.table(where)
    ours.close()
    theirs.close()
    bare.close()
    return atMost(1.5, {
      path: "GET a request",
      unit: "processor ms a call, PostgreSQL's too",
      ours: median(spent.ours),
      bare: median(spent.bare),
      beside: "Fastify and one indexed read",
    })
  })

export async function startBare(service: Service, id: string, answer: object) {
  const child = fork(BARE, { execArgv: [] })
  child.send({ databaseUrl: service.env.DATABASE_URL, id, answer })
  const [{ url }] = (await once(child, "message")) as [{ url: string }]
  return { url, pid: child.pid ?? 0, close: () => child.disconnect() }
}
