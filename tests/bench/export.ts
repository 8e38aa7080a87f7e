// `npm run bench:export`: what the api process needs while a business exports all it has: its memory, and how long the answer
// takes to begin. `--requests N`: so many; `--receipts M`: so many of what was deleted.
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { memberApi } from "../service/members.ts"
import { type Service, startService } from "../service/service.ts"
import { seedRequests } from "./many-requests.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    receipts: { type: "string", default: "20000" },
  },
})
const [requests, receipts] = [Number(values.requests), Number(values.receipts)]

const { stack, release } = await lease(resolve(import.meta.dirname, "../..", ".stack", "bench-stack"), {
  fast: true,
})
try {
  await makeTemplate(stack)
  const service = await startService({ stack })
  try {
    await seedRequests(service, requests + receipts)
    await erase(service, receipts)
    // A head is signed once a minute.
    service.moveClock(61_000)
    await reach(service, "select (select count(*) from log_waiting) = 0", "t")
    await reach(
      service,
      "select coalesce((select max(size) from log_checkpoint), 0) = (select count(*) from evidence)",
      "t",
    )
    const { token } = await memberApi(service, "owner")
    let path: string | null = "/v3/export"
    for (let n = 1; path !== null; n += 1) path = await exported(service, token, path, n)
  } finally {
    await service.close()
  }
} finally {
  await release()
}

/** By their date, as a worker does it. */
async function erase(service: Service, count: number): Promise<void> {
  if (count === 0) return
  await service.sql(`
    update signature_request
       set auto_delete_at = now() - interval '1 day', auto_delete_on = current_date - 1
     where id in (select id from signature_request order by created_at desc limit ${count})`)
  await reach(service, "select count(*) from signature_request where auto_delete_at is not null", "0")
}

async function reach(service: Service, query: string, wanted: string): Promise<void> {
  while ((await service.sql(query)) !== wanted) await pause(1000)
}

/** Reads one archive and lets it go; the address of the next one. */
async function exported(service: Service, token: string, path: string, n: number): Promise<string | null> {
  const before = memoryOf(service)
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, memoryOf(service))
  }, 100)
  const started = performance.now()
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const begunMs = Math.round(performance.now() - started)
  if (answer.status !== 200 || answer.body === null) throw new Error(`It answered ${answer.status}.`)
  let bytes = 0
  for await (const piece of answer.body) bytes += piece.length
  clearInterval(watching)
  const seconds = Math.round((performance.now() - started) / 1000)
  const mb = (of: number) => Math.round(of / 1_000_000)
  console.log(
    JSON.stringify({ archive: n, begunMs, seconds, mb: mb(bytes), before: mb(before), most: mb(most) }),
  )
  const next = /<([^>]+)>/.exec(answer.headers.get("link") ?? "")?.[1]
  if (next === undefined) return null
  const { pathname, search } = new URL(next)
  return `${pathname}${search}`
}

function memoryOf(service: Service): number {
  const status = readFileSync(`/proc/${service.api.pid}/status`, "utf8")
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
