// `npm run bench:documents`: what taking in and handing out a large document costs beside the bare pipeline, and what twenty
// of the largest at once do to one server process and to whoever uploads something small meanwhile.
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { lease } from "../../scripts/stack/lease.ts"
import { call } from "../service/api.ts"
import { digestOf, drained, inJson, send } from "../service/large.ts"
import { contractPdf, pdfOfSize } from "../service/pdf.ts"
import { type Service, startService } from "../service/service.ts"
import { openBare } from "./bare-documents.ts"
import { median } from "./harness/figure.ts"

const root = resolve(import.meta.dirname, "../..")
const runs = process.argv.includes("--quick") ? 3 : 7
/** `--unscanned`: without clamd, which takes most of the time of this. */
const SCANNING: readonly (readonly [string, Record<string, string>])[] = [
  ["without a scanner", { SCANNER_URL: "none" }],
  ...(process.argv.includes("--unscanned") ? [] : [["with clamd", {}] as const]),
]
const rows: Record<string, string | number>[] = []

const stack = await lease(resolve(root, ".stack", "bench-stack"), { fast: true })
try {
  const bare = openBare(stack.stack.env)
  for (const [scanning, env] of SCANNING) {
    const service = await startService({ stack: stack.stack, authorities: false, worker: false, env })
    await oneLarge(service, scanning)
    await manyLarge(service, scanning)
    await service.close()
  }
  bare.close()

  async function oneLarge({ url, caller }: Service, scanning: string): Promise<void> {
    const base64 = Buffer.from(pdfOfSize(100_000_000).toString("base64"), "latin1")
    const ms = { bareUp: [] as number[], up: [] as number[], bareDown: [] as number[], down: [] as number[] }
    for (let run = 0; run < runs; run += 1) {
      ms.bareUp.push(await bare.upload(base64))
      const uploaded = await send(url, caller.token, "/v2/documents", inJson(base64))
      if (uploaded.status !== 200) throw new Error(`An upload answered ${uploaded.status}.`)
      ms.up.push(uploaded.ms)
      ms.bareDown.push(await bare.download())
      ms.down.push(await drained(url, caller.token, `/v2/documents/${uploaded.body.id}/content`))
    }
    const [bareUp, up, bareDown, down] = [ms.bareUp, ms.up, ms.bareDown, ms.down].map(median)
    row(`upload of 100 MB, ${scanning}`, { bare: bareUp, ours: up, ofBare: ratio(bareUp, up), wanted: "0.6" })
    row(`download of 100 MB, ${scanning}`, {
      bare: bareDown,
      ours: down,
      ofBare: ratio(bareDown, down),
      wanted: "0.7",
    })
  }
} finally {
  await stack.release()
}

async function manyLarge(service: Service, scanning: string): Promise<void> {
  const { url, caller, api } = service
  const pdf = pdfOfSize(112_500_000)
  const base64 = Buffer.from(pdf.toString("base64"), "latin1")
  const sha256 = createHash("sha256").update(pdf).digest("hex")
  const small = contractPdf().toString("base64")
  const authorization = { authorization: `Bearer ${caller.token}` }
  const smallOnce = async () => {
    const started = performance.now()
    const { status } = await call(
      url,
      "POST",
      "/v2/documents",
      { title: "Small", content: small },
      authorization,
    )
    if (status !== 200) throw new Error(`A small upload answered ${status}.`)
    return performance.now() - started
  }
  const smallUntil = async (isOver: () => boolean, least: number) => {
    const all: number[] = []
    while (all.length < least || !isOver()) all.push(await smallOnce())
    return all
  }
  await smallUntil(() => true, 20)
  const idle = await smallUntil(() => true, 100)
  let isOver = false
  const started = performance.now()
  const large = Promise.all(
    Array.from({ length: 20 }, () => send(url, caller.token, "/v2/documents", inJson(base64))),
  ).finally(() => {
    isOver = true
  })
  const meanwhile = await smallUntil(() => isOver, 1)
  const answers = await large
  const seconds = (performance.now() - started) / 1000
  let same = 0
  for (const { body } of answers)
    if ((await digestOf(url, caller.token, `/v2/documents/${body.id}/content`)).sha256 === sha256) same += 1
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${api.pid}/status`, "utf8"))?.[1]) / 1000
  row(`20 uploads of 112.5 MB, ${scanning}`, {
    seconds: Math.round(seconds),
    identical: `${same} of 20`,
    peakMB: Math.round(peak),
    wanted: "600 MB",
  })
  row(`a small upload meanwhile, ${scanning}`, {
    idleP95: Math.round(p95(idle)),
    p95: Math.round(p95(meanwhile)),
    times: ratio(p95(meanwhile), p95(idle)),
    uploads: meanwhile.length,
    wanted: "3",
  })
}

function row(what: string, figures: Record<string, string | number | undefined>): void {
  const shown = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === "number" ? Math.round(value * 100) / 100 : (value ?? ""),
  ])
  rows.push({ what, ...Object.fromEntries(shown) })
  console.log(JSON.stringify(rows.at(-1)))
  writeFileSync(
    resolve(root, ".stack", "bench-documents.json"),
    `${JSON.stringify({ at: new Date(), rows }, null, 2)}\n`,
  )
}

function ratio(of: number | undefined, to: number | undefined): number {
  return Math.round(((of ?? 0) / (to ?? 1)) * 100) / 100
}

function p95(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1] ?? 0
}
