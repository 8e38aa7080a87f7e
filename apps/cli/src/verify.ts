import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, extname } from "node:path"
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
import { COMMANDS } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { print } from "./printed.ts"
import { textOf, textsOf, typed, type Values } from "./synopsis.ts"
import { isArchiveAt, openArchive } from "./verify-archive.ts"
import { pageComparison } from "./verify-pages.ts"
import { written } from "./verify-print.ts"

const EXIT_CODES = { holds: 0, fails: 1, unsure: 2 } as const satisfies Record<Standing, number>

/** Nothing of the service is opened, and nothing is asked of anybody. */
export async function verify(words: readonly string[], now: () => Date = () => new Date()): Promise<number> {
  const { values, positionals } = typed(COMMANDS.verify.usage, words)
  if (positionals.length === 0) throw new NotUnderstood("paraph verify: which files?")
  const language = languageOf(textOf(values, "language"))
  const [told, xml] = [textOf(values, "at"), textOf(values, "xml")]
  const at = told === undefined ? now() : timeOf(told)
  const trust = trustOf(values)
  const files = positionals.filter((path) => !isArchiveAt(path)).map(fileOf)
  const opened = await Promise.all(positionals.filter(isArchiveAt).map(openArchive))
  const archives = opened.map(({ archive }) => archive)
  const { comparePages, close: closePages } = pageComparison()
  const verified = await verifyFiles({ files, archives, ...trust, now: at, comparePages }).finally(closePages)
  for (const { close } of opened) close()
  if (xml !== undefined) writeReports(verified, xml)
  print({ value: verified, words: written(sayVerified(verified, language)) }, values.json === true)
  return EXIT_CODES[verified.standing]
}

function trustOf(values: Values) {
  try {
    return {
      trusted: textsOf(values, "trust").flatMap((path) => trustedCertificates(fileOf(path))),
      logKeys: textsOf(values, "log-key").flatMap((one) =>
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
