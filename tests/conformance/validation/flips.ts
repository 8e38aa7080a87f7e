// npm run conformance:flips [-- --flips N] [-- --seed S]: one octet of what was signed is another one, 100,000 times; none may
// pass. Some ten minutes.

import { parseArgs } from "node:util"
import { startTrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { passedDocuments } from "./flips/documents.ts"
import { judgeFlips, together } from "./flips/session.ts"
import type { Judged } from "./flips/worker.ts"

const { values } = parseArgs({
  options: { flips: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
})
const sandbox = await startTrustSandbox({ now: () => new Date() })
try {
  const documents = await passedDocuments(sandbox, process.env.PARAPH_CORPORA)
  const order = { flips: Number(values.flips), seed: Number(values.seed) }
  const results = await judgeFlips(documents, order)
  for (const [i, { document, inRanges, inSignatures, counts, slowestMs }] of results.entries()) {
    const { bytes, parts } = documents[i] ?? { bytes: [], parts: [] }
    const about = `${bytes.length} bytes, ${parts.length} signatures and time-stamps`
    print(`${document} (${about})`)
    print(
      `  ${inRanges} flips in ranges, ${inSignatures} in signatures; the slowest ${slowestMs.toFixed(0)} ms`,
    )
    printCounts(counts)
  }
  const all = results.map((one): Judged => one).reduce(together)
  const [inRanges, inSignatures] = [
    sum(results.map((one) => one.inRanges)),
    sum(results.map((one) => one.inSignatures)),
  ]
  print(`\nAll: ${inRanges} flips in ranges, ${inSignatures} in signatures, seed ${values.seed}`)
  printCounts(all.counts)
  for (const { document, at, to, fault } of all.faults.slice(0, 20))
    print(`FAULT: ${document}, ${at} is now ${to}: ${fault}`)
  print(`Faults: ${all.faults.length}`)
  process.exitCode = all.faults.length === 0 ? 0 : 1
} finally {
  await sandbox.close()
}

function printCounts(counts: Judged["counts"]): void {
  for (const [outcome, count] of Object.entries(counts).sort(([, a], [, b]) => b - a))
    print(`  ${String(count).padStart(7)}  ${outcome}`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
