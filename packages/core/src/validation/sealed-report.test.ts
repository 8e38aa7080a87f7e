import { describe, expect, it } from "vitest"
import type { Caller } from "../access/caller.ts"
import type { SealJob } from "../jobs.ts"
import type { Reading, Tx } from "../ports.ts"
import { Refusal } from "../refusal.ts"
import type { SealLack } from "../seal/model.ts"
import { asking, reportOf } from "../testing/reports.ts"
import type { Validation } from "./model.ts"
import type { ReportOf, SealedReport } from "./ports.ts"
import { readPdfReport } from "./read-report.ts"
import { reasonOf, type SealReportParts, sealReport } from "./seal-report.ts"

const NOW = new Date("2026-11-16T10:00:00Z")
const caller: Caller = {
  businessId: "b1",
  userId: "u1",
  username: "acme",
  keyId: "k1",
  kind: "production",
}
const of: ReportOf = { validationId: "v1", language: "de" }
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** One validation in memory, and a worker that seals by writing down what it was given. */
function newWorld(kind: Validation["kind"] = "production") {
  let validation: Validation | null = {
    id: "v1",
    businessId: "b1",
    kind,
    ownerId: "u1",
    asked: asking(),
    report: reportOf({}),
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + 1),
  }
  const kept = new Map<string, SealedReport>()
  const jobs: SealJob[] = []
  const evidence: object[] = []
  const used: object[] = []
  let released = 0
  const release = async () => {
    released += 1
  }
  const reading = {
    findValidation: async (by: Caller) => (by.userId === validation?.ownerId ? validation : null),
    listDifferences: async () => [],
    findReport: async ({ language }: ReportOf) => kept.get(language) ?? null,
    findOrderedReport: async ({ language }: ReportOf) =>
      kept.get(language)?.pdf === null ? validation : null,
  }
  const tx = {
    orderReport: async ({ language }: ReportOf) => {
      if (validation === null || kept.has(language)) return false
      kept.set(language, { pdf: null, waitingFor: null })
      return true
    },
    keepReport: async ({ language }: ReportOf, pdf: Uint8Array) => {
      if (validation === null || kept.get(language)?.pdf !== null) return false
      kept.set(language, { pdf, waitingFor: null })
      return true
    },
    noteReportWaits: async ({ language }: ReportOf, waitingFor: SealLack) =>
      void kept.set(language, { pdf: null, waitingFor }),
    enqueueSealing: async (job: SealJob) => void jobs.push(job),
    appendEvidence: async (_: string, entries: readonly object[]) => void evidence.push(...entries),
  }
  const around = {
    now: () => NOW,
    read: <T>(_: string, work: (one: Reading) => Promise<T>) => work(reading as unknown as Reading),
    transact: <T>(_: string, work: (one: Tx) => Promise<T>) => work(tx as unknown as Tx),
  }
  const sealing: SealReportParts = {
    ...around,
    reportSealer: async (of) => ({
      ...{ name: `The service, ${of}`, keyLabel: `${of}-reports` },
      ...{ certificate: new Uint8Array([1]), chain: [] },
    }),
    writePdfReport: async ({ id, language, kind, sealer }) =>
      Buffer.from(`[${id} ${language} ${kind} ${sealer}]`),
    holdBytes: async (_, bytes) => {
      let whole = ""
      for await (const piece of bytes) whole += text(piece)
      return { sha256: whole, release } as never
    },
    sha256Of: (bytes) => text(bytes as Uint8Array),
    prepareMark: async (held, options) => {
      used.push(options)
      return { baseSha256: held.sha256 } as never
    },
    signBytes: async (key) =>
      Buffer.from(key.holder === "report" ? `${key.kind} by ${key.keyLabel}` : "another"),
    stampValue: async () => Buffer.from("stamped"),
    finishMark: (_, value, stamp) => Buffer.from(`[${text(value)} ${stamp && text(stamp)}]`),
    pass: () => undefined,
    raiseMarks: async (_, __, { to }) => ({ tail: Buffer.from(`[${to}]`), archiveEndsAt: null }) as never,
  }
  const work = async (parts: SealReportParts) => {
    for (const job of jobs.splice(0)) if (job.task === "seal-report") await sealReport(parts, job)
  }
  return {
    sealing,
    work,
    reading: { ...around, reportIsOver: () => work(sealing) },
    nobody: { ...around, reportIsOver: async () => false },
    kept,
    jobs,
    evidence,
    used,
    released: () => released,
    remove: () => {
      validation = null
    },
  }
}

describe("the report for people", () => {
  it("is written and sealed by whoever has the key, for the archive, and said to be a report", async () => {
    const world = newWorld()
    const pdf = await readPdfReport(world.reading, caller, of)
    expect(text(pdf)).toBe(
      "[v1 de production The service, production][production by production-reports stamped][B-LTA]",
    )
    expect(world.used).toMatchObject([
      {
        kind: "production",
        own: { certificate: new Uint8Array([1]) },
        reason: reasonOf("v1"),
        fieldName: "Paraph-v1",
        positions: [],
      },
    ])
    expect(world.evidence).toMatchObject([
      { type: "report.sealed", data: { kind: "production", language: "de", sha256: text(pdf) } },
    ])
    expect(world.released()).toBe(1)
  })

  it("of a demo is sealed with the demo key", async () => {
    const world = newWorld("demo")
    expect(text(await readPdfReport(world.reading, { ...caller, kind: "demo" }, of))).toContain(
      "[demo by demo-reports stamped]",
    )
  })

  it("is sealed once, however often it is asked for or worked on", async () => {
    const world = newWorld()
    const first = await readPdfReport(world.reading, caller, of)
    await sealReport(world.sealing, { task: "seal-report", businessId: "b1", ...of })
    expect(await readPdfReport(world.reading, caller, of)).toBe(first)
    expect([world.used.length, world.evidence.length]).toEqual([1, 1])
  })

  it("is ordered for nobody but whoever made the validation", async () => {
    const world = newWorld()
    await expect(readPdfReport(world.reading, { ...caller, userId: "u2" }, of)).rejects.toMatchObject({
      code: "not-found",
    })
    expect([world.kept.size, world.jobs.length]).toEqual([0, 0])
  })

  it("that nobody seals in time is 503, ordered once, and goes on; one that is deleted meanwhile is 404", async () => {
    const world = newWorld()
    for (let n = 0; n < 3; n += 1)
      await expect(readPdfReport(world.nobody, caller, of)).rejects.toMatchObject({
        code: "part-down",
        message: "The report was not sealed in time.",
        retryAfterSeconds: 10,
      })
    expect(world.jobs).toEqual([{ task: "seal-report", businessId: "b1", ...of }])
    const deleting = {
      ...world.nobody,
      reportIsOver: async () => world.remove(),
    }
    await expect(readPdfReport(deleting, caller, of)).rejects.toMatchObject({ code: "not-found" })
    await world.work(world.sealing)
    expect([world.used.length, world.evidence.length]).toEqual([0, 0])
  })

  it.each([
    ["keys", "The key that seals reports cannot be reached."],
    ["timestamp", "No time-stamping authority gave a time-stamp that can be relied upon."],
    ["revocation", "Nobody says that the certificate of the service is not revoked."],
  ] as const)("says what it lacks: %s", async (lacks, message) => {
    const world = newWorld()
    const lacking = () => Promise.reject(new Refusal("part-down", "Away.", { lacks }))
    const parts: SealReportParts = { ...world.sealing, raiseMarks: lacking }
    const reading = { ...world.nobody, reportIsOver: () => world.work(parts).catch(() => undefined) }
    await expect(readPdfReport(reading, caller, of)).rejects.toMatchObject({ code: "part-down", message })
    // The queue tries again, and so the failure has to reach it.
    const job = { task: "seal-report", businessId: "b1", ...of } as const
    await expect(sealReport(parts, job)).rejects.toMatchObject({ lacks })
    expect(world.released()).toBe(2)
    await sealReport(world.sealing, job)
    expect(text(await readPdfReport(world.nobody, caller, of))).toContain("[B-LTA]")
  })

  it("is not sealed where what is at hand is not what was written", async () => {
    const world = newWorld()
    const swapped: SealReportParts = {
      ...world.sealing,
      prepareMark: async () => ({ baseSha256: "of something else" }) as never,
    }
    world.kept.set("de", { pdf: null, waitingFor: null })
    const job = { task: "seal-report", businessId: "b1", ...of } as const
    await expect(sealReport(swapped, job)).rejects.toThrow("not the report")
    expect(world.evidence).toEqual([])
  })
})
