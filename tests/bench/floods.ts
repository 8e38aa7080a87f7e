// `npm run bench:floods`: how long the upload of one business takes while another business with a demo key floods the service (B4). Each
// try begins with the whole flood in flight. The limits are those of the design: at most twice the idle median, and three seconds.
import { resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import type { Api } from "../service/api.ts"
import { contractPdf } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { doubleFlateBomb, manyPages } from "./flood-pdfs.ts"
import { median } from "./harness/figure.ts"

const MOST_RATIO = 2
const MOST_MS = 3_000
/** Until the bodies of the flood have arrived. */
const ARRIVE_MS = 100

const { values } = parseArgs({ options: { tries: { type: "string", default: "10" } } })
const tries = Number(values.tries)

type Flood = { readonly name: string; readonly file: Buffer; readonly count: number }

const stack = await lease(resolve(import.meta.dirname, "../..", ".stack", "bench-stack"), { fast: true })
try {
  const service = await startService({ stack: stack.stack, authorities: false, worker: false })
  try {
    const business = await addBusiness(service, "Neighbour AG")
    const neighbour = await addUser(service, "neighbour", { business, kind: "production" })
    const bomb = doubleFlateBomb()
    const floods: readonly Flood[] = [
      { name: `16 double-Flate PDFs of ${bomb.length} bytes`, file: bomb, count: 16 },
      { name: `60 double-Flate PDFs of ${bomb.length} bytes`, file: bomb, count: 60 },
      { name: "8 PDFs of 50,000 pages", file: manyPages(50_000), count: 8 },
      { name: "8 PDFs of 20,000 pages, the most that are accepted", file: manyPages(20_000), count: 8 },
    ]
    for (let warming = 0; warming < 3; warming += 1) await uploadMs(neighbour)
    const idle: number[] = []
    for (let attempt = 0; attempt < tries; attempt += 1) idle.push(await uploadMs(neighbour))
    const idleMs = median(idle)
    process.stdout.write(`idle: median ${Math.round(idleMs)} ms, max ${Math.round(Math.max(...idle))} ms\n`)
    const rows = []
    for (const flood of floods) {
      rows.push(await measure(service, neighbour, flood, idleMs))
      process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`)
    }
    console.table(rows)
  } finally {
    await service.close()
  }
} finally {
  await stack.release()
}

async function measure({ caller }: Service, neighbour: Api, { name, file, count }: Flood, idleMs: number) {
  const body = { title: "Flood", content: file.toString("base64") }
  const times: number[] = []
  const statuses = new Map<number, number>()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const flood = Array.from({ length: count }, async () => {
      const { status } = await caller.post("/v2/documents", body)
      statuses.set(status, 1 + (statuses.get(status) ?? 0))
    })
    await pause(ARRIVE_MS)
    times.push(await uploadMs(neighbour))
    await Promise.all(flood)
  }
  const max = Math.max(...times)
  return {
    flood: name,
    "median (ms)": Math.round(median(times)),
    "max (ms)": Math.round(max),
    "max / idle median": (max / idleMs).toFixed(2),
    "within the limits": times.filter((ms) => ms <= MOST_RATIO * idleMs && ms <= MOST_MS).length,
    answers: [...statuses].map(([status, answers]) => `${answers} × ${status}`).join(", "),
  }
}

async function uploadMs(api: Api): Promise<number> {
  const begun = performance.now()
  const { status, body } = await api.post("/v2/documents", {
    title: "Contract",
    content: contractPdf().toString("base64"),
  })
  if (status !== 200) throw new Error(`The upload answered ${status}: ${JSON.stringify(body)}`)
  return performance.now() - begun
}
