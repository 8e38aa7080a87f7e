import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Api } from "../service/api.ts"
import { type Costs, watchCosts } from "../service/child-costs.ts"
import { hostilePdfs } from "../service/hostile-pdfs.ts"
import { contractPdf } from "../service/pdf.ts"
import { type SealingService, startSealing } from "../service/sealing.ts"
import { until } from "../service/until.ts"
import { addBusiness, addUser } from "../service/users.ts"
import { sealed, validate, validateForm } from "../service/validation.ts"

const { PARAPH_CORPORA } = process.env
/** Of all processes that a document has, and of each. What is between two looks, and to start, is on top. */
const PROCESSOR_MS = 5_000
const MEMORY_BYTES = 512_000_000
const BETWEEN_LOOKS_MS = 500

describe("documents made to cost whoever judges them", () => {
  let service: SealingService
  let neighbour: Api
  let good: Buffer
  let hostile: Readonly<Record<string, Uint8Array>>
  beforeAll(async () => {
    service = await startSealing({ validation: true, env: { VALIDATIONS_PER_KEY: "100000" } })
    neighbour = await addUser(service, "neighbour", { business: await addBusiness(service, "Neighbour AG") })
    good = await sealed(service.caller, contractPdf("Sealed."))
    hostile = await hostilePdfs(PARAPH_CORPORA)
  }, 300_000)
  afterAll(() => service?.close())

  const judged = async (name: string, bytes: Uint8Array): Promise<Row> => {
    const costs = watchCosts(service.api.pid)
    const start = performance.now()
    const answer = await validateForm(service.caller, bytes, "infos=validation")
    const clockMs = performance.now() - start
    // The last of its processes is gone a moment after its answer; on a busy machine that is a long one.
    await pause(1_000)
    return { name, clockMs, said: saidBy(answer), ...costs() }
  }

  it("are each answered or refused, for five seconds of the processor and 512 MB at most", async () => {
    const rows: Row[] = []
    for (const [name, bytes] of Object.entries(hostile)) {
      // A machine that has no time is not the document's fault, and whoever asks is told to ask again.
      rows.push(
        await until(
          `${name} is answered`,
          async () => {
            const row = await judged(name, bytes)
            return !row.said.startsWith("503") && row
          },
          240_000,
        ),
      )
    }
    for (const row of rows) process.stdout.write(`${lineOf(row)}\n`)
    const wrong = rows.filter(({ said }) => !/^(200|400 file\.pdf\.)/.test(said))
    expect(wrong).toEqual([])
    expect(rows.filter(({ processorMs }) => processorMs > PROCESSOR_MS + BETWEEN_LOOKS_MS)).toEqual([])
    expect(rows.filter(({ peakBytes }) => peakBytes > MEMORY_BYTES)).toEqual([])
    // The watch sees what there is to see.
    expect(Math.max(...rows.map(({ processorMs }) => processorMs))).toBeGreaterThan(1_000)
    expect(Math.max(...rows.map(({ peakBytes }) => peakBytes))).toBeGreaterThan(100_000_000)
  }, 600_000)

  it("keep no neighbour from an answer, though very many come at once", async () => {
    const once = async () => {
      const start = performance.now()
      const { status, body } = await validate(neighbour, good)
      expect([status, body.validSignatures]).toEqual([200, 1])
      return performance.now() - start
    }
    await once()
    const alone: number[] = []
    for (let i = 0; i < 9; i++) alone.push(await once())
    const costly = Object.entries(hostile).filter(([name]) => COSTLY.test(name))
    expect(costly.length).toBeGreaterThanOrEqual(3)
    let isOver = false
    const flood = Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        validateForm(service.caller, costly[i % costly.length]?.[1] ?? good),
      ),
    ).finally(() => {
      isOver = true
    })
    const beside: number[] = []
    while (!isOver) beside.push(await once())
    const answers = (await flood).map(saidBy)
    process.stdout.write(
      `alone ${middle(alone).toFixed(0)} ms; beside ${answers.length} costly ones ${middle(beside).toFixed(0)} ms in the middle, ${Math.max(...beside).toFixed(0)} ms at most, of ${beside.length}\n`,
    )
    // Whoever floods may be told to come again; everybody else is not.
    for (const said of answers) expect(said).toMatch(/^(200|400 file\.pdf\.|503)/)
    expect(beside.length).toBeGreaterThan(5)
    expect(middle(beside)).toBeLessThan(4 * middle(alone))
  }, 600_000)
})

type Row = Costs & { readonly name: string; readonly clockMs: number; readonly said: string }

const COSTLY = /each signed|thirty megabytes|for ever|25 signatures|five metres/

function saidBy({ status, body }: Answer): string {
  if (status !== 200) return `${status} ${body.key}`
  const { indication, subIndication } = body.additionalInfos.validation ?? {}
  return [status, indication, subIndication].filter(Boolean).join(" ")
}

const middle = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

function lineOf(row: Row): string {
  const [clock, processor, peak] = [row.clockMs, row.processorMs, row.peakBytes / 1e6].map((one) =>
    one.toFixed(0).padStart(6),
  )
  return `${row.name.slice(-60).padEnd(60)} ${clock} ms, ${processor} ms of processor, ${peak} MB: ${row.said}`
}
