// Reads every PDF of one folder as a stranger's file is read, and writes one line of JSON for each: what came of it, how
// long it took, and the most memory that this process has held so far.

import { readdirSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { describePdf } from "@paraph/pades/describe"
import { digestRanges } from "@paraph/pades/digest-ranges"
import { openPdf } from "@paraph/pades/document"
import { PdfRefused } from "@paraph/pades/refused"
import { openRevision, readRevisions } from "@paraph/pades/revisions"
import { readSignatures } from "@paraph/pades/signatures"
import { openFile, type Source } from "@paraph/pades/source"

export type Reading = {
  readonly file: string
  readonly bytes: number
  readonly milliseconds: number
  readonly peakBytes: number
  /** Why it was refused, with the code in front; nothing for a file that was read. */
  readonly refused?: string
  /** An error that is no refusal. */
  readonly fault?: string
  readonly revisions?: number
  readonly signatures?: readonly {
    readonly field: string
    readonly coverage: string
    readonly fault?: string
  }[]
}

const [folder = ""] = process.argv.slice(2)
// The small ones first: the most memory so far is then of small ones only.
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.pdf$/i.test(name))
  .map((name) => ({ name, path: join(folder, name), bytes: statSync(join(folder, name)).size }))
  .sort((a, b) => a.bytes - b.bytes)
for (const { name, path, bytes } of files) {
  // Processor time: how long it takes must not depend on what else the machine does.
  const start = process.cpuUsage()
  const found = outcome(path)
  const { user, system } = process.cpuUsage(start)
  const milliseconds = Math.round((user + system) / 1_000)
  const peakBytes = process.resourceUsage().maxRSS * 1_024
  const line: Reading = { file: name, bytes, milliseconds, peakBytes, ...found }
  writeSync(1, `${JSON.stringify(line)}\n`)
}

type Outcome = Omit<Reading, "file" | "bytes" | "milliseconds" | "peakBytes">

function outcome(path: string): Outcome {
  const source = openFile(path)
  try {
    return read(source)
  } catch (error) {
    if (error instanceof PdfRefused) return { refused: `${error.code}: ${error.message}` }
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    source.close()
  }
}

function read(source: Source): Outcome {
  const pdf = openPdf(source)
  const revisions = readRevisions(pdf)
  const signatures = readSignatures(pdf)
  const ranges = signatures.flatMap(({ byteRange, coverage }) =>
    coverage === "unclear" || byteRange === undefined ? [] : [byteRange],
  )
  digestRanges(source, ranges, "sha256")
  for (const revision of revisions)
    if (revision.end !== undefined) tryToOpen(() => openRevision(pdf, revision))
  describePdf(source)
  return {
    revisions: revisions.length,
    signatures: signatures.map(({ fieldName, coverage, fault }) => ({
      field: fieldName,
      coverage,
      ...(fault === undefined ? {} : { fault }),
    })),
  }
}

/** An old revision may be unsound though the newest one is sound. */
function tryToOpen(open: () => unknown): void {
  try {
    open()
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error
  }
}
