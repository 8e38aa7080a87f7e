// `npm run bench:lists`: what a page of a list costs where a business has 1,000,000 requests: the first one and one far
// behind, by each filter, through the HTTP API of the real service.
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { lease } from "../../scripts/stack/lease.ts"
import { type Service, startService } from "../service/service.ts"
import { measure, OFTEN, pagesOf, SELDOM, seedRequests, WORD } from "./many-requests.ts"

const root = resolve(import.meta.dirname, "../..")
const count = process.argv.includes("--quick") ? 100_000 : 1_000_000
const PAGE_SIZE = 50
const CALLS = 15
const signed = (email: string) =>
  `exists (select from signature s where s.request_id = r.request_id and s.email = '${email}')`

/** The page that is far behind: of all of them the 10,000th, where a filter leaves fewer, one of its last. */
const LISTS = [
  { name: "all", query: "", where: "true", of: 1 },
  { name: "one status", query: "&status_overall=WITHDRAWN", where: "status = 'WITHDRAWN'", of: 10 },
  { name: "a signer of half of them", query: `&signer_email_address=${OFTEN}`, where: signed(OFTEN), of: 2 },
  { name: "a signer of few", query: `&signer_email_address=${SELDOM}`, where: signed(SELDOM), of: 1000 },
  {
    name: "a state of a signature, of few",
    query: "&signature_status=DECLINED",
    where: "status = 'DECLINED'",
    of: 10_000,
  },
  { name: "a word of most titles", query: "&search=contract", where: "true", of: 1.01 },
  {
    name: "a word of few titles",
    query: `&search=${WORD}`,
    where: `exists (select from signature_request q where q.id = r.request_id and q.title ~ '${WORD}')`,
    of: 100_000,
  },
]

const stack = await lease(resolve(root, ".stack", "bench-stack"), { fast: true })
const rows: Record<string, string | number>[] = []
try {
  const service = await startService({ stack: stack.stack, authorities: false, worker: false })
  try {
    const started = performance.now()
    await seedRequests(service, count)
    console.log(`${count} requests in ${Math.round((performance.now() - started) / 1000)} s`)
    for (const list of LISTS) await row(service, list)
  } finally {
    await service.close()
  }
} finally {
  await stack.release()
}

async function row(service: Service, list: (typeof LISTS)[number]): Promise<void> {
  const there = Math.floor(count / list.of)
  const pageSize = Math.min(PAGE_SIZE, Math.max(1, Math.floor(there / 4)))
  const page = Math.max(2, Math.min(10_000, Math.floor(there / pageSize / 2)))
  const { firstMs, deepMs } = await measure(
    service.caller,
    await pagesOf(service, list, pageSize, page),
    CALLS,
  )
  const round = (ms: number) => Math.round(ms * 100) / 100
  rows.push({
    list: list.name,
    first: round(firstMs),
    page,
    deep: round(deepMs),
    times: round(deepMs / firstMs),
  })
  console.log(JSON.stringify(rows.at(-1)))
  writeFileSync(resolve(root, ".stack", "bench-lists.json"), `${JSON.stringify({ count, rows }, null, 2)}\n`)
}
