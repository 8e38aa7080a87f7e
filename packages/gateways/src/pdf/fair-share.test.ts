import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { createCpuBudget } from "@paraph/core/fair-share/cpu-budget"
import { ownerOf, type Tenant } from "@paraph/core/fair-share/owner"
import { samplePdf } from "@paraph/pades/sample"
import { afterAll, describe, expect, inject, it } from "vitest"
import { createScanner } from "../scanner/scanner.ts"
import { sealedFileOf } from "../testing/sealed-file.ts"
import { createPdfRooms } from "./rooms.ts"

const ATTACKER: Tenant = { businessId: "attacker", kind: "demo" }
const NEIGHBOUR: Tenant = { businessId: "neighbour", kind: "production" }

describe("a flood of one owner, on real PDF processes and a real scanner", () => {
  const folder = mkdtempSync(join(tmpdir(), "paraph-fair-"))
  const now = () => performance.now()
  const budget = createCpuBudget({ perMinuteMs: 60_000, burstMs: 120_000, now })
  const charged = new Map<string, number>()
  const rooms = createPdfRooms({
    folder,
    // Nothing gives up waiting, however busy the machine is.
    maxWaitMs: 600_000,
    isOverBudget: budget.isOver,
    onCpu: (owner, _, ms) => {
      budget.charge(ownerOf(owner), ms)
      charged.set(owner.businessId, ms + (charged.get(owner.businessId) ?? 0))
    },
  })
  const address = parseEnv(readFileSync(join(inject("stackDir"), "env"), "utf8")).SCANNER_URL ?? ""
  const scanner = createScanner({ address, minTotalMs: 110_000, maxWaiting: 100, maxWaitMs: 600_000 })
  afterAll(async () => {
    await rooms.close()
    rmSync(folder, { recursive: true })
  })

  /** The flood is in flight before the neighbour comes. Returns how much of it ended before the neighbour's work. */
  async function endedBefore(count: number, work: (owner: Tenant) => Promise<unknown>): Promise<number> {
    let ended = 0
    const flood = Array.from({ length: count }, () => work(ATTACKER).finally(() => (ended += 1)))
    await work(NEIGHBOUR)
    const before = ended
    await Promise.all(flood)
    return before
  }

  it("[B4] of documents to read lets a neighbour's overtake nearly all of it, and is charged for its CPU time", async () => {
    const file = await sealedFileOf(samplePdf({ pages: 50 }), folder)
    const before = await endedBefore(12, (owner) => rooms.describe(file, owner))
    expect(before).toBeLessThan(9)
    expect(charged.get("attacker")).toBeGreaterThan(3 * (charged.get("neighbour") ?? 0))
  })

  it("[B4] of scans lets a neighbour's overtake nearly all of it", async () => {
    const bytes = samplePdf({ pages: 4_000 })
    const once = async function* () {
      yield bytes
    }
    const before = await endedBefore(20, (owner) => scanner.scan(owner, once(), bytes.length))
    expect(before).toBeLessThan(10)
  })
})
