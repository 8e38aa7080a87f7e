import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, extname } from "node:path"
import { parseArgs } from "node:util"
import { writeEtsiReport } from "@paraph/validation/etsi-report"
import { sayVerified } from "@paraph/verifying/say"
import {
  type GivenFile,
  MAX_FILE_BYTES,
  TrustNotUnderstood,
  trustedCertificates,
  trustedLogKeys,
} from "@paraph/verifying/take-in"
import type { Standing, Verified } from "@paraph/verifying/verified"
import { verifyFiles } from "@paraph/verifying/verify"
import { LANGUAGES, type Language } from "@paraph/verifying/words"
import { NotUnderstood } from "./not-understood.ts"
import { isArchiveAt, openArchive } from "./verify-archive.ts"
import { written } from "./verify-print.ts"

export const VERIFY_USAGE = `paraph verify FILE… [--log-key FILE|TEXT]… [--trust FILE]… [--at TIME] [--language en|de|fr|it] [--xml FILE] [--json]

  Checks signed PDFs, the story of a request with its proofs (a report that brings one along, or its story.json), and
  archives of all that a business had, from these files alone: no server, no settings, no network.

  --log-key    the key that the log has published: one line, or a file of such lines
  --trust      certificates that you trust (roots), PEM or DER; once for each file
  --at         the time to judge for, such as 2030-01-31 or 2030-01-31T12:00:00Z; now where it is missing
  --language   en, de, fr or it
  --xml        writes the report by ETSI TS 119 102-2; with several PDFs one each, numbered; never over a file
  --json       prints everything as one JSON object

  Ends with 0 when all holds, 1 when something does not, 2 when it cannot be said or was not understood.`

const EXIT_CODES = { holds: 0, fails: 1, unsure: 2 } as const satisfies Record<Standing, number>

/** Nothing of the service is opened, and nothing is asked of anybody. */
export async function verify(words: readonly string[], now: () => Date = () => new Date()): Promise<number> {
  if (words.length === 0 || words.includes("--help")) {
    console.log(VERIFY_USAGE)
    return words.length === 0 ? 2 : 0
  }
  const { values, positionals } = optionsOf(words)
  if (positionals.length === 0) throw new NotUnderstood("paraph verify: which files?")
  const language = languageOf(values.language)
  const at = values.at === undefined ? now() : timeOf(values.at)
  const trust = trustOf(values)
  const files = positionals.filter((path) => !isArchiveAt(path)).map(fileOf)
  const opened = await Promise.all(positionals.filter(isArchiveAt).map(openArchive))
  const archives = opened.map(({ archive }) => archive)
  const verified = await verifyFiles({ files, archives, ...trust, now: at })
  for (const { close } of opened) close()
  if (values.xml !== undefined) writeReports(verified, values.xml)
  const told = sayVerified(verified, language)
  console.log(values.json ? JSON.stringify(verified) : written(told))
  return EXIT_CODES[verified.standing]
}

function optionsOf(words: readonly string[]) {
  const text = { type: "string" } as const
  const texts = { type: "string", multiple: true } as const
  const options = { "log-key": texts, trust: texts, at: text, language: text, xml: text } as const
  try {
    return parseArgs({
      args: [...words],
      options: { ...options, json: { type: "boolean" } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    throw new NotUnderstood((error as Error).message)
  }
}

type Values = ReturnType<typeof optionsOf>["values"]

function trustOf({ trust = [], "log-key": keys = [] }: Values) {
  try {
    return {
      trusted: trust.flatMap((path) => trustedCertificates(fileOf(path))),
      logKeys: keys.flatMap((one) =>
        trustedLogKeys(existsSync(one) ? Buffer.from(fileOf(one).bytes).toString("utf8") : one),
      ),
    }
  } catch (error) {
    if (error instanceof TrustNotUnderstood) throw new NotUnderstood(error.message)
    throw error
  }
}

/** One that is too large is not read; that it is, is said like the rest. */
function fileOf(path: string): GivenFile {
  try {
    const { size } = statSync(path)
    const bytes = size > MAX_FILE_BYTES ? new Uint8Array() : new Uint8Array(readFileSync(path))
    return { name: basename(path), bytes, size }
  } catch {
    throw new NotUnderstood(`${path} cannot be read.`)
  }
}

function languageOf(told = "en"): Language {
  const found = LANGUAGES.find((one) => one === told)
  if (found === undefined) throw new NotUnderstood("--language is en, de, fr or it.")
  return found
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

function timeOf(told: string): Date {
  const at = new Date(TIME.test(told) ? told : Number.NaN)
  if (Number.isNaN(at.getTime()))
    throw new NotUnderstood("--at is a day or a time with its zone, such as 2030-01-31T12:00:00Z.")
  return at
}

function writeReports({ documents }: Verified, path: string): void {
  const reports = documents.flatMap(({ report }) => report ?? [])
  if (reports.length === 0) throw new NotUnderstood("--xml: there is no PDF to report on.")
  const ending = extname(path)
  const stem = path.slice(0, path.length - ending.length)
  for (const [i, report] of reports.entries()) {
    const to = reports.length === 1 ? path : `${stem}-${i + 1}${ending}`
    try {
      writeFileSync(to, writeEtsiReport(report), { flag: "wx" })
    } catch {
      throw new NotUnderstood(`${to} cannot be written; what is there is not overwritten.`)
    }
  }
}
