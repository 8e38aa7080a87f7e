// Reads and signs some PDFs of one folder as a stranger's files are, and writes one line of JSON for each: what came of it, how
// long it took, and the most memory that this process has held so far.

import { generateKeyPairSync, sign } from "node:crypto"
import { readdirSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { describePdf } from "@paraph/pades/describe"
import { digestRanges } from "@paraph/pades/digest-ranges"
import { openPdf } from "@paraph/pades/document"
import { finish } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import { PdfRefused } from "@paraph/pades/refused"
import { openRevision, readRevisions } from "@paraph/pades/revisions"
import { readSignatures } from "@paraph/pades/signatures"
import { grown, openFile, type Source } from "@paraph/pades/source"
import { createAuthority } from "@paraph/trust-sandbox/authority"

export type Reading = {
  readonly file: string
  readonly bytes: number
  readonly milliseconds: number
  readonly peakBytes: number
  /** Why it was refused, with the code in front; nothing for a file that was read. */
  readonly refused?: string
  /** An error that is no refusal. */
  readonly fault?: string
  /** Why it was read but is not signed, with the code in front. */
  readonly unsigned?: string
  /** What it would do by itself, and what of it is unclear. */
  readonly active?: readonly string[]
  readonly revisions?: number
  readonly signatures?: readonly {
    readonly field: string
    readonly coverage: string
    readonly fault?: string
  }[]
}

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const now = new Date()
const authority = await createAuthority({ commonName: "Corpora", now })
const publicKeySpki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }))
const certificate = await authority.issue({ commonName: "Ada", publicKeySpki, now, validDays: 1 })

const [folder = "", first = "0", count = "0"] = process.argv.slice(2)
// The small ones first: the most memory so far is then of small ones only.
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.pdf$/i.test(name))
  .map((name) => ({ name, path: join(folder, name), bytes: statSync(join(folder, name)).size }))
  .sort((a, b) => a.bytes - b.bytes || (a.name < b.name ? -1 : 1))
  .slice(Number(first), Number(first) + Number(count))
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

/** Signed, and opened again: one signature more, over the whole file. */
function signing(source: Source): Pick<Outcome, "unsigned"> {
  try {
    const prepared = prepare(source, { fieldName: "Paraph-1", certificate, chain: [], signedAt: now })
    const value = sign("sha256", Buffer.from(prepared.signedAttributes, "base64"), privateKey)
    const signed = openPdf(grown(source, finish(prepared, value)))
    const own = readSignatures(signed).find(({ fieldName }) => fieldName === "Paraph-1")
    if (own?.coverage !== "whole-file") throw new Error("the new signature does not cover the file")
    return {}
  } catch (error) {
    if (error instanceof PdfRefused) return { unsigned: `${error.code}: ${error.message}` }
    throw error
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
  const { active } = describePdf(source)
  return {
    ...signing(source),
    active: active.map(({ kind }) => kind),
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
