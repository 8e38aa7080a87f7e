// npm run conformance:validation [-- --record] [-- --foreign]: ours | EU DSS | pyHanko, signature by signature. Some ten minutes.
// With --record the opinions of the others on foreign files are written down for the tests, which do not ask them again.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startTrustSandbox } from "@paraph/trust-sandbox/sandbox"
import { DEFAULT_POLICY } from "@paraph/validation/default-policy"
import { foreignFiles, ownFiles, type ToJudge } from "./inputs.ts"
import { askDss, askPyhanko, type Opinions } from "./oracles.ts"
import { AS_DSS } from "./policies.ts"
import { comparable, fileOf, indicationOf, type Row, rowsOf, tooKind, tooKindFor } from "./table.ts"

const { PARAPH_CORPORA: corpora } = process.env
if (corpora === undefined) throw new Error("PARAPH_CORPORA does not say where the corpora are.")
const asked = process.argv.slice(2)

// What is not an opinion, or is told by it.
const DROPPED = new Set([
  "id",
  "warnings",
  "errors",
  "level",
  "coverage",
  "undefinedChanges",
  "visualDifferences",
  "annotationOverlaps",
  "pageDifferences",
])

const folder = await mkdtemp(join(tmpdir(), "paraph-opinions-"))
const sandbox = await startTrustSandbox({ now: () => new Date() })
try {
  const foreign = foreignFiles(corpora)
  const own = asked.includes("--foreign") ? [] : await ownFiles(sandbox, folder)
  const inputs = [...foreign, ...own]
  const dss = await askDss(inputs)
  const pyhanko = await askPyhanko(inputs)
  if (asked.includes("--record")) await record(foreign, dss, pyhanko)
  const equal = await rowsOf(inputs, AS_DSS, dss, pyhanko)
  const strict = await rowsOf(inputs, DEFAULT_POLICY, dss, pyhanko)
  for (const { title, field, ours, dss: byDss, pyhanko: byPyhanko } of equal)
    print(`${title} ${field} | ${ours} | ${byDss} | ${byPyhanko}`)
  summary("as EU DSS has it", equal)
  summary("strict, as we have it", strict)
  const page = await readFile(new URL("../../../docs/validation-differences.md", import.meta.url), "utf8")
  const isExplained = (row: Row) => page.includes(`\`${fileOf(row)}\``)
  // What EU DSS does not pass is never explained; what pyHanko does not pass needs a reason on the page.
  const wrong = [equal, strict].flatMap((rows) => [
    ...tooKindFor(rows, "dss"),
    ...tooKindFor(rows, "pyhanko").filter((row) => !isExplained(row)),
  ])
  for (const row of wrong) print(`TOO KIND: ${JSON.stringify(row)}`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  await sandbox.close()
  await rm(folder, { recursive: true })
}

function summary(policy: string, rows: readonly Row[]): void {
  const judged = comparable(rows)
  const same = judged.filter(({ ours, dss }) => indicationOf(ours) === indicationOf(dss))
  const exactly = judged.filter(({ ours, dss }) => ours === dss)
  print(
    `\nPolicy ${policy}: ${judged.length} signatures that both judge, ${share(same, judged)} equal indications, ${share(exactly, judged)} with the sub-indication too`,
  )
  for (const indication of ["TOTAL-PASSED", "TOTAL-FAILED", "INDETERMINATE"])
    print(
      `  ${indication}: ours ${count(judged, "ours", indication)}, EU DSS ${count(judged, "dss", indication)}, pyHanko ${count(judged, "pyhanko", indication)}`,
    )
  print(`  failed or undecided for one of them, and passed by us: ${tooKind(rows).length}`)
  for (const { title, field, ours, dss, pyhanko, reasons } of judged)
    if (indicationOf(ours) !== indicationOf(dss))
      print(`  ≠ ${title} ${field} | ${ours} (${reasons[0] ?? ""}) | ${dss} | ${pyhanko}`)
}

function count(rows: readonly Row[], who: "ours" | "dss" | "pyhanko", indication: string): number {
  return rows.filter((row) => indicationOf(row[who]) === indication).length
}

function share(some: readonly Row[], all: readonly Row[]): string {
  return `${some.length} (${((100 * some.length) / all.length).toFixed(1)} %)`
}

async function record(inputs: readonly ToJudge[], dss: Opinions, pyhanko: Opinions): Promise<void> {
  const opinions = Object.fromEntries(
    inputs.map(({ title }) => [title, { dss: dss.get(title), pyhanko: pyhanko.get(title) }]),
  )
  const slim = JSON.stringify(opinions, (key, value) => (DROPPED.has(key) ? undefined : value), 2)
  await writeFile(new URL("opinions.json", import.meta.url), `${slim}\n`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
