import { setTimeout as pause } from "node:timers/promises"
import type { Held } from "@paraph/core/document/ports"
import type { AskedValidation } from "@paraph/core/validation/model"
import { PdfRefused } from "@paraph/pades/refused"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import type { DocumentReport } from "@paraph/validation/report"
import { describe, expect, it } from "vitest"
import { type Judging, validating } from "./validating.ts"

const asked: AskedValidation = {
  quality: null,
  legislation: null,
  longTermValidation: false,
  rejectVisualDifferences: true,
  rejectUndefinedChanges: true,
}
const held = { file: {}, businessId: "b1" } as Held
const png = (text: string) => Buffer.from(text)

const signature = (field: string) => ({
  field,
  indication: "TOTAL-PASSED",
  reasons: [],
  changes: [],
  visualDifferences: false,
})
const report = (...fields: readonly string[]) =>
  ({ indication: "TOTAL-PASSED", signatures: fields.map(signature) }) as unknown as DocumentReport

const revocation: RevocationPorts = {
  askOcsp: async (url) => png(`ocsp ${url}`),
  fetchCrl: () => new Promise(() => undefined),
}

function judging(more: Partial<Judging["rooms"]>): Judging {
  const rooms: Judging["rooms"] = {
    validate: async () => ({ report: report("A", "B"), toCompare: [], processorMs: 0 }),
    compareAll: async () => {
      throw new Error("Nobody compares.")
    },
    ...more,
  }
  return {
    rooms,
    now: () => new Date(0),
    anchorsOf: async () => [],
    servicesNamed: async () => [],
    revocation,
  }
}
const run = (parts: Judging, how = asked) => validating(parts)(held, how, "demo")
const toCompare = (field: string) => ({ field, before: 1, pages: [{ page: 0, allowed: [] }] })

describe("validating", () => {
  it("puts what the pictures showed into the report, each with its number", async () => {
    const page = (different: boolean) => ({ page: 0, different, kinds: [], share: 0 })
    const shown = { page: 0, before: png("before"), after: png("after"), difference: null }
    const parts = judging({
      validate: async () => ({
        report: report("A", "B", "C"),
        toCompare: ["A", "B", "C"].map(toCompare),
        processorMs: 0,
      }),
      compareAll: async (_, __, { comparisons }) =>
        comparisons.map(() => ({
          complete: true,
          pagesCompared: 1,
          pages: [page(true)] as never,
          pictures: [shown],
          fieldTexts: [],
        })),
    })
    const { report: told, pictures } = await run(parts)
    expect(told).toMatchObject({ indication: "INDETERMINATE", subIndication: "SIG_CONSTRAINTS_FAILURE" })
    expect(told.signatures.map(({ changes }) => changes[0]?.picture)).toEqual([1, 2, 3])
    expect(pictures.map(({ n, before, difference }) => [n, String(before), difference])).toEqual(
      [1, 2, 3].map((n) => [n, "before", null]),
    )
    const lenient = await run(parts, { ...asked, rejectVisualDifferences: false })
    expect(lenient.report).toMatchObject({ indication: "TOTAL-PASSED" })
    expect(lenient.report.signatures.every((one) => one.visualDifferences)).toBe(true)
  })

  it("never passes what could not be compared to its end", async () => {
    const nothing = { pagesCompared: 0, pages: [], pictures: [], fieldTexts: [] }
    const given: unknown[] = []
    const parts = judging({
      validate: async () => ({ report: report("A"), toCompare: [toCompare("A")], processorMs: 4000 }),
      compareAll: async (_, { businessId }, { processorMs }) => {
        given.push([processorMs, businessId])
        return [{ complete: false, lack: "budget", ...nothing }]
      },
    })
    for (const how of [asked, { ...asked, rejectVisualDifferences: false }])
      expect((await run(parts, how)).report.indication).toBe("INDETERMINATE")
    // What is left of five seconds, in the name of the business.
    expect(given).toEqual(Array(2).fill([1000, held.businessId]))
  })

  it("tells the process what it asks for, and no where that takes too long or is nobody's", async () => {
    let answers: unknown[] = []
    const parts = judging({
      validate: async (_file, _owner, _order, outside) => {
        const services = await outside({ of: "services", names: ["a"] })
        const ocsp = await outside({ of: "ocsp", url: "http://ocsp.example", body: png("") })
        const others = await Promise.allSettled([outside({ of: "certificate", url: "http://ca.example" })])
        answers = [String(services), String(ocsp), others[0]?.status]
        return { report: report("A"), toCompare: [], processorMs: 0 }
      },
    })
    await run(parts)
    expect(answers).toEqual(["[]", "ocsp http://ocsp.example", "rejected"])
  })

  it("gives up whoever does not answer, and counts neither the queue nor what it knows itself", async () => {
    const outsideMs = 100
    let answers: unknown[] = []
    const parts = judging({
      validate: async (_file, _owner, _order, outside) => {
        // So long it waited for its turn.
        await pause(2 * outsideMs)
        const first = await outside({ of: "ocsp", url: "http://ocsp.example", body: png("") })
        const asked = [
          outside({ of: "crl", url: "http://a.example" }),
          outside({ of: "crl", url: "http://b" }),
        ]
        const silent = await Promise.allSettled(asked)
        const late = await Promise.allSettled([outside({ of: "crl", url: "http://c.example" })])
        const own = await outside({ of: "services", names: [] })
        answers = [String(first), ...[...silent, ...late].map(({ status }) => status), String(own)]
        return { report: report("A"), toCompare: [], processorMs: 0 }
      },
    })
    await run({ ...parts, outsideMs })
    expect(answers).toEqual(["ocsp http://ocsp.example", "rejected", "rejected", "rejected", "[]"])
  })

  it("refuses what is no PDF in the words of the interface", async () => {
    const parts = judging({
      validate: () => Promise.reject(new PdfRefused("encrypted", "A password is needed.")),
    })
    await expect(run(parts)).rejects.toMatchObject({ code: "pdf-encrypted" })
  })
})
