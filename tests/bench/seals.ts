// `npm run bench:seals`: what one seal costs whoever waits for it, and how long a batch of a thousand takes one worker; each raised
// to B-LTA by time-stamping and revocation services on this machine. `--count N`: fewer of them.
import { loadavg } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import { contractPdf } from "../service/pdf.ts"
import { startSealing } from "../service/sealing.ts"
import { until } from "../service/until.ts"

const { values } = parseArgs({ options: { count: { type: "string", default: "1000" } } })
const count = Number(values.count)
const ONE_BY_ONE = 20
const UPLOADS = 4
const content = contractPdf("An invoice.").toString("base64")

const stack = await lease(resolve(import.meta.dirname, "../..", ".stack", "bench-stack"), { fast: true })
try {
  const env = { SEAL_WAIT_SECONDS: "120" }
  const service = await startSealing({ stack: stack.stack, authorities: false, env })
  const { production } = service
  const rows: Record<string, string | number>[] = []

  const each: number[] = []
  for (let n = 0; n < ONE_BY_ONE; n += 1) {
    const began = performance.now()
    const { status } = await production.post("/v2/seal", { content })
    if (status !== 200) throw new Error(`A seal answered ${status}.`)
    each.push(performance.now() - began)
  }
  each.sort((a, b) => a - b)
  rows.push({ what: "POST /v2/seal, one by one, median", ms: Math.round(each[ONE_BY_ONE / 2] ?? 0) })

  const ids: string[] = []
  const uploading = performance.now()
  const numbers = Array.from({ length: count }, (_, n) => n).values()
  const upload = async () => {
    for (const n of numbers)
      ids.push((await production.post("/v3/documents", { title: `Invoice ${n}`, content })).body.id)
  }
  await Promise.all(Array.from({ length: UPLOADS }, upload))
  rows.push({
    what: `uploading ${count}, ${UPLOADS} at a time`,
    ms: Math.round(performance.now() - uploading),
  })

  const began = performance.now()
  const { body } = await production.post("/v3/seal-batches", { document_ids: ids })
  rows.push({ what: `ordering a batch of ${count}`, ms: Math.round(performance.now() - began) })
  const read = async () => (await production.get("/v3/seal-batches")).body[0]
  let told = 0
  await until(
    "the batch is over",
    async () => {
      const { status, sealed } = await read()
      if (sealed >= told + 100) console.log(`${sealed} after ${Math.round(performance.now() - began)} ms`)
      told = sealed - (sealed % 100)
      return status === "COMPLETED"
    },
    3 * 3_600_000,
  )
  const ms = performance.now() - began
  const { sealed, failed } = await read()
  rows.push({ what: `a batch of ${count}, ${sealed} sealed, ${failed} failed`, ms: Math.round(ms) })
  rows.push({ what: "each of them", ms: Math.round(ms / count) })
  console.log(`batch ${body.id}, load ${loadavg()[0]?.toFixed(1)}`)
  console.table(rows)
  await service.close()
} finally {
  await stack.release()
}
