// A request with two signers for a document that is there, beside pgbench with the statements that this takes, in one transaction.
import { uploadTo } from "../../service/requests.ts"
import { type Bench, learnTables } from "../harness/bench.ts"
import { closedLoop, openCaller } from "../harness/drive.ts"
import { atLeast, type Figure, median } from "../harness/figure.ts"
import { pgbench, scriptOf, transactionOf } from "../harness/pgbench.ts"
import { statementsOf } from "../harness/statements.ts"

const AT_ONCE = 8
const SECONDS = 5

export const create = (bench: Bench, { rounds, calls }: { rounds: number; calls: number }): Promise<Figure> =>
  bench.withService({ worker: false }, async (service) => {
    const document = await uploadTo(service.caller, "v2")
    const body = JSON.stringify({
      title: "Contract",
      document_id: document,
      signatures: [{ account_email: "a@example.org" }, { account_email: "b@example.org" }],
    })
    const headers = { authorization: `Bearer ${service.caller.token}` }
    const caller = openCaller(service.url, AT_ONCE)
    const ask = () => caller.ask({ method: "POST", path: "/v2/signature-requests", headers, body })
    await closedLoop(Math.ceil(calls / 4), AT_ONCE, ask)
    await learnTables(service)
    await closedLoop(Math.ceil(calls / 4), AT_ONCE, ask)
    const one = transactionOf(await statementsOf(bench.stack, ask))
    const other = transactionOf(await statementsOf(bench.stack, ask))
    const script = scriptOf(one, other)
    if (process.env.BENCH_DETAIL) console.log(`${one.length} statements\n${script}`)
    const ours: number[] = []
    const bare: number[] = []
    for (let n = 0; n < rounds; n += 1) {
      const started = performance.now()
      await closedLoop(Math.ceil(calls / 4), AT_ONCE, ask)
      ours.push(Math.ceil(calls / 4) / ((performance.now() - started) / 1000))
      bare.push((await pgbench(service.env.DATABASE_URL ?? "", script, AT_ONCE, SECONDS)).aSecond)
    }
    caller.close()
    return atLeast(0.5, {
      path: "create with two signers",
      unit: "requests a second",
      ours: median(ours),
      bare: median(bare),
      beside: `pgbench, the same ${one.length} statements`,
    })
  })
