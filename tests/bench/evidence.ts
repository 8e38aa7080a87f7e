// `npm run bench:evidence`: what evidence adds to creating a request and to signing it, by two services on one stack that take turns:
// one of them appends none. The database writes to the disk as in production. `--count N`: fewer of each.
import { loadavg } from "node:os"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { linkMailedTo } from "../service/mailbox.ts"
import { OF_THE_IMAGE } from "../service/process.ts"
import { entry, newAddress, openRequest, uploadTo } from "../service/requests.ts"
import { type Service, startService } from "../service/service.ts"
import { useStack } from "../service/settings.ts"
import { openSession } from "../service/signer.ts"
import { until } from "../service/until.ts"
import { median } from "./harness/figure.ts"
import { processorTimes } from "./processor-time.ts"

const { values } = parseArgs({ options: { count: { type: "string", default: "60" } } })
const count = Number(values.count)
const CREATED_EACH = 10
const preload = pathToFileURL(resolve(import.meta.dirname, "without-evidence.ts")).href

const stack = await lease(resolve(import.meta.dirname, "../..", ".stack", "bench-lasting"), { fast: false })
useStack(stack.stack.dir)
try {
  await makeTemplate(stack.stack)
  const without = { NODE_OPTIONS: `${OF_THE_IMAGE.NODE_OPTIONS} --import ${preload}` }
  const services = {
    without: await startService({ stack: stack.stack, env: without }),
    with: await startService({ stack: stack.stack }),
  }
  type Name = keyof typeof services
  const spent: Record<Name, { create: number[]; sign: number[]; processor: number }> = {
    without: { create: [], sign: [], processor: 0 },
    with: { create: [], sign: [], processor: 0 },
  }
  for (let n = 0; n < count + 3; n++)
    for (const name of ["without", "with"] as const) {
      const before = processorOf(services[name])
      const took = await one(services[name])
      // The first ones find everything cold.
      if (n < 3) continue
      spent[name].create.push(...took.create)
      spent[name].sign.push(took.sign)
      spent[name].processor += processorOf(services[name]) - before
    }
  const evidence = await Promise.all(
    Object.values(services).map((each) => each.sql("select count(*) from evidence")),
  )
  const row = (what: string, of: (name: Name) => number) => ({
    what,
    without: Number(of("without").toFixed(1)),
    with: Number(of("with").toFixed(1)),
    ratio: Number((of("with") / of("without")).toFixed(2)),
  })
  console.log(`${evidence.join(" and ")} events, load ${loadavg()[0]?.toFixed(1)}`)
  console.table([
    row("POST /v2/signature-requests, median ms", (name) => median(spent[name].create)),
    row("from the press to SIGNED, median ms", (name) => median(spent[name].sign)),
    row(`processor ms of ${CREATED_EACH} creates and a sign`, (name) => spent[name].processor / count),
  ])
  for (const each of Object.values(services)) await each.close()
} finally {
  await stack.release()
}

/** Some requests, of which one is signed. */
async function one({ url, caller }: Service) {
  const documentId = await uploadTo(caller, "v2")
  const create: number[] = []
  const email = newAddress("bench")
  let id = ""
  for (let i = 0; i < CREATED_EACH; i++) {
    const began = performance.now()
    const to = i === 0 ? email : newAddress("bench")
    const made = await openRequest(caller, "v2", documentId, { signatures: [entry("v2", to)] })
    create.push(performance.now() - began)
    if (i === 0) id = made.id
  }
  const session = await openSession(url, await linkMailedTo(email))
  const began = performance.now()
  await session.press("Ada Lovelace")
  await until("it is signed", async () => {
    const { body } = await caller.get(`/v2/signature-requests/${id}`)
    return body.status_overall === "SIGNED"
  })
  return { create, sign: performance.now() - began }
}

function processorOf({ api, worker }: Service): number {
  const { it = 0 } = processorTimes({ it: [api.pid, worker.pid] }, [])
  return it
}
