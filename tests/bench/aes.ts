// `npm run bench:aes`: advanced signatures a second over one worker and over two, from the press to the B-LTA document, beside what
// the same token does bare: `C_GenerateKeyPair` (P-256) and `C_Sign`. Then the work with keys alone. They take turns, since the
// machine may be busy with other things. `--count N`: how many signatures in each round; `--rounds N`.
import { writeFileSync } from "node:fs"
import { loadavg } from "node:os"
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { lease } from "../../scripts/stack/lease.ts"
import { makeTemplate } from "../../scripts/stack/template.ts"
import { type Service, startService } from "../service/service.ts"
import { useStack } from "../service/settings.ts"
import { prepareSigners, type Round, signAll } from "./advanced.ts"
import type { Spent } from "./fastest.ts"
import { median } from "./harness/figure.ts"
import { openBare, openKeyWork } from "./key-work.ts"

const { values } = parseArgs({
  options: { count: { type: "string", default: "60" }, rounds: { type: "string", default: "3" } },
})
const [count, rounds] = [Number(values.count), Number(values.rounds)]
const BARE = 30
/** Before each round: what a process compiles with its first jobs is no part of a figure. */
const WARMING = 8
/** Some people are done sooner than others. */
const SPARE = 24
const root = resolve(import.meta.dirname, "../..")

const held = await lease(resolve(root, ".stack", "bench-stack"), { fast: true })
try {
  await makeTemplate(held.stack)
  useStack(held.stack.dir)
  const service = await startService({
    stack: held.stack,
    env: { PRODUCTION_QUALITIES: "SES,AES", SWEEP_SECONDS: "10" },
  })
  try {
    await measure(service)
  } finally {
    await service.close()
  }
} finally {
  await held.release()
}

async function measure(service: Service): Promise<void> {
  const { postgres, s3, trust } = held.stack.services
  const programs = {
    api: [service.api.pid],
    PostgreSQL: [postgres.process.pid],
    "S3 server": [s3.process.pid],
    "time-stamping": [trust.process.pid],
  }
  const bare = openBare(service.env)
  const ours = openKeyWork(service.env)
  const seen = { bare: [] as Spent[], one: [] as Spent[], eight: [] as Spent[] }
  const signed: Record<1 | 2, Round[]> = { 1: [], 2: [] }
  const signers = await prepareSigners(service, 2 * rounds * (count + WARMING) + SPARE)
  const beBare = async () => void seen.bare.push(await bare.work(BARE))
  const round = async (workers: readonly number[], n: 1 | 2) => {
    const asked = { count, signers, programs, workers }
    await signAll(service, { ...asked, count: WARMING })
    await beBare()
    signed[n].push(await signAll(service, asked))
    await beBare()
    seen.one.push(await ours.work(BARE, 1))
    await beBare()
    seen.eight.push(await ours.work(BARE, 8))
    console.log(`load ${loadavg()[0]?.toFixed(1)}`, JSON.stringify(signed[n].at(-1)))
  }
  for (let n = 0; n < rounds; n += 1) {
    await round([service.worker.pid], 1)
    const second = await service.startWorker()
    await round([service.worker.pid, second.pid], 2)
    await second.stop()
  }
  bare.close()
  await ours.close()
  report(seen, signed)
}

function report(
  seen: Record<"bare" | "one" | "eight", readonly Spent[]>,
  signed: Record<1 | 2, readonly Round[]>,
): void {
  const bare = medianOf(seen.bare)
  const rows = [
    { what: "bare C_GenerateKeyPair + C_Sign", ...bare },
    { what: "keys by us: pair, certificate, OCSP, value, end; one at a time", ...medianOf(seen.one) },
    { what: "keys by us, eight at a time", ...medianOf(seen.eight) },
    { what: "a signature, B-LTA, one worker", ...medianOf(signed[1].map(({ each }) => each)) },
    { what: "a signature, B-LTA, two workers", ...medianOf(signed[2].map(({ each }) => each)) },
  ].map(({ what, clockMs, processorMs }) => ({
    what,
    "a second": rounded(1000 / clockMs),
    "of bare": rounded(bare.clockMs / clockMs),
    "processor ms": rounded(processorMs),
    "of bare, processor": rounded(bare.processorMs / processorMs),
  }))
  console.table(rows)
  const where = Object.keys(signed[1][0]?.where ?? {}).map((name) => ({
    "processor ms in": name,
    "one worker": rounded(median(signed[1].map((one) => one.where[name] ?? 0))),
    "two workers": rounded(median(signed[2].map((one) => one.where[name] ?? 0))),
  }))
  console.table(where)
  const jobs = Object.keys(signed[1][0]?.jobs ?? {}).map((name) => ({
    "clock ms of a job": name,
    "one worker": Math.round(median(signed[1].map((one) => one.jobs[name] ?? 0))),
    "two workers": Math.round(median(signed[2].map((one) => one.jobs[name] ?? 0))),
  }))
  console.table(jobs)
  const kept = { at: new Date(), load: loadavg(), rows, where, jobs }
  writeFileSync(resolve(root, ".stack", "bench-aes.json"), `${JSON.stringify(kept, null, 2)}\n`)
}

function medianOf(all: readonly Spent[]): Spent {
  return {
    clockMs: median(all.map(({ clockMs }) => clockMs)),
    processorMs: median(all.map(({ processorMs }) => processorMs)),
  }
}

function rounded(figure: number): number {
  return Math.round(figure * 100) / 100
}
