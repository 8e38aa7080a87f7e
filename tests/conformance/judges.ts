// Programs by other people that judge what our engine made. None of them shares code with it.

import { execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const PYTHON = here("../../.tools/pyhanko/bin/python")
const DRIVER = here("pyhanko-verify.py")
const STAMPER = here("pyhanko-timestamp.py")
const JAR = here("../../.tools/java-oracles/judges.jar")
const JAVA_JUDGES = [JAR, here("../../.tools/java-oracles/lib/*")].join(":")

export type PyhankoFacts = {
  readonly field: string
  readonly valid?: boolean
  readonly intact?: boolean
  readonly trusted?: boolean
  readonly coverage?: string
  readonly modification?: string | null
  readonly error?: string
}
export type PyhankoSignature = PyhankoFacts & {
  readonly bottomLine?: boolean
  /** Of the signature time-stamp; absent where there is none. */
  readonly timestamp?: boolean
  /** "PASSED", or the indication of EN 319 102-1 with the reason. */
  readonly ades?: string
  /** The same in ten years, where the file holds validation data. */
  readonly adesLater?: string
}
export type PyhankoVerdict = {
  readonly file: string
  /** False where pyHanko judges such a file only with its lenient reader. */
  readonly strict?: boolean
  readonly signatures?: readonly PyhankoSignature[]
  readonly documentTimestamps?: readonly PyhankoFacts[]
  readonly error?: string
}

/** Both processors get one process each; starting Python once per file would take minutes. */
export async function pyhanko(
  root: string | readonly string[],
  files: readonly string[],
  asked: { readonly levels?: boolean; readonly online?: boolean; readonly laterYears?: number } = {},
): Promise<Map<string, PyhankoVerdict>> {
  const halves = [files.filter((_, i) => i % 2 === 0), files.filter((_, i) => i % 2 === 1)]
  const judge = async (half: readonly string[]): Promise<readonly PyhankoVerdict[]> =>
    JSON.parse(await converse(PYTHON, [DRIVER], { roots: [root].flat(), files: half, ...asked }))
  return byFile((await Promise.all(halves.filter((half) => half.length > 0).map(judge))).flat())
}

/** A document time-stamp by pyHanko, to learn what other judges say of one at all. */
export async function pyhankoTimestamp(order: {
  readonly input: string
  readonly output: string
  readonly authority: string
}): Promise<void> {
  await converse(PYTHON, [STAMPER], order)
}

export type DssToken = {
  readonly id: string
  readonly indication: string
  readonly subIndication?: string
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** Absent for a signature time-stamp, which has no revision of its own. */
  readonly field?: string
  readonly undefinedChanges?: readonly string[]
  /** Numbers of pages, as the two that follow. */
  readonly visualDifferences?: readonly number[]
  readonly annotationOverlaps?: readonly number[]
  readonly pageDifferences?: readonly number[]
}
export type DssVerdict = {
  readonly file: string
  readonly signatures?: readonly (DssToken & { readonly level: string })[]
  readonly timestamps?: readonly (DssToken & { readonly type: string })[]
  readonly error?: string
}

/** EU DSS with its default policy, unchanged. Only online it asks for what the file does not hold. */
export async function dss(
  order: { readonly anchors: readonly string[]; readonly online?: boolean },
  files: readonly string[],
): Promise<Map<string, DssVerdict>> {
  return byFile(await askJava<DssVerdict>("paraph.DssJudge", { ...order, files }))
}

export type VeraPdfVerdict = {
  readonly file: string
  /** As veraPDF writes it: "1b", "2u", "4"; "none" where the file claims to be no PDF/A. */
  readonly flavour?: string
  readonly compliant?: boolean
  readonly failed?: readonly {
    readonly clause: string
    readonly test: number
    readonly message: string
    readonly at: string
  }[]
  readonly error?: string
}

/** Whether each file is the PDF/A that it claims to be, or the one asked for. */
export async function verapdf(
  files: readonly string[],
  flavour?: string,
): Promise<Map<string, VeraPdfVerdict>> {
  return byFile(await askJava<VeraPdfVerdict>("paraph.VeraPdfJudge", { files, ...(flavour && { flavour }) }))
}

export type ReadReport = {
  readonly file: string
  /** In the words of EU DSS; empty where it does not know the name. */
  readonly signatures?: readonly { readonly indication: string; readonly subIndication?: string }[]
  readonly objects?: number
  readonly error?: string
}

/** Reports by ETSI TS 119 102-2, validated against its schema and read by EU DSS. */
export async function etsiReports(files: readonly string[]): Promise<Map<string, ReadReport>> {
  return byFile(await askJava<ReadReport>("paraph.ReportJudge", { files }))
}

/** One JVM for all files, with a thread per processor. */
async function askJava<T>(main: string, order: { readonly files: readonly string[] }): Promise<readonly T[]> {
  // Two gigabytes are plenty, and the rest of the machine is for others.
  const settings = ["-Xmx2g", "-XX:+UseSerialGC", "-Djava.awt.headless=true"]
  const archive = join(dirname(JAR), `${main}.jsa`)
  const draft = `${archive}.${process.pid}-${randomUUID()}`
  // Loading its classes is most of what a short question costs, 6.7 s of a processor; from an archive it is 2.8 s. The first to ask
  // writes it down for the others. What the JVM has to say about that goes where the verdicts go, so it says nothing.
  const [isKept, isShort] = [existsSync(archive), order.files.length <= SHORT]
  const classes = isKept ? `-XX:SharedArchiveFile=${archive}` : `-XX:ArchiveClassesAtExit=${draft}`
  const compiling = isShort ? ["-XX:TieredStopAtLevel=1"] : []
  const quick = isKept || (isShort && !DIES_OF_IT.has(main)) ? [classes, "-Xlog:disable"] : []
  const lines = await converse("java", [...quick, ...compiling, ...settings, "-cp", JAVA_JUDGES, main], order)
  if (existsSync(draft)) await rename(draft, archive)
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
}

/** So few files are judged before the better of the JVM's compilers would have paid for itself. */
const SHORT = 20

/** Where Java 17 ends itself while it writes the archive, in `adjust_lambda_proxy_class_dictionary`. */
const DIES_OF_IT = new Set(["paraph.ReportJudge"])

function byFile<T extends { readonly file: string }>(verdicts: readonly T[]): Map<string, T> {
  return new Map(verdicts.map((verdict) => [verdict.file, verdict]))
}

function converse(program: string, args: readonly string[], order: object): Promise<string> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
  const output: Buffer[] = []
  child.stdout.on("data", (data: Buffer) => output.push(data))
  child.stdin.end(JSON.stringify(order))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => {
      const said = Buffer.concat(output).toString("utf8")
      if (code === 0) resolve(said)
      else reject(new Error(`${program} ${args.at(-1)} ended with ${code ?? signal}: ${said.slice(-2_000)}`))
    })
  })
}

/** What pdfsig (poppler, NSS) says of each field: "Signature is Valid." */
export async function pdfsig(file: string): Promise<Map<string, string>> {
  // It ends with an error as soon as one signature of the file is bad, even if that is not one of ours.
  const { stdout } = await run("pdfsig", ["-nocert", file]).catch((error: { stdout: string }) => error)
  const verdicts = new Map<string, string>()
  for (const part of stdout.split(/^Signature #\d+:$/m).slice(1)) {
    const field = /Signature Field Name: (.*)/.exec(part)?.[1]
    const verdict = /Signature Validation: (.*)/.exec(part)?.[1]
    if (field !== undefined && verdict !== undefined) verdicts.set(field, verdict)
  }
  return verdicts
}

/** Takes content and mark out of the file by its byte range alone and asks openssl for CAdES. */
export async function opensslCades(signed: Uint8Array, root: string, folder: string): Promise<string> {
  const bytes = Buffer.from(signed.buffer, signed.byteOffset, signed.length)
  const text = bytes.toString("latin1")
  const ranges = [...text.matchAll(/\/ByteRange \[(\d+) (\d+) (\d+) (\d+) *\]/g)]
  const [, , before = 0, after = 0, rest = 0] = (ranges.at(-1) ?? []).map(Number)
  if (after + rest !== bytes.length)
    throw new Error("The last byte range does not reach the end of the file.")
  const hex = text.slice(before, after)
  if (!/^<[0-9a-f]+>$/i.test(hex)) throw new Error("The gap of the byte range is not a hexadecimal string.")
  const content = `${folder}.content`
  const mark = `${folder}.mark`
  await writeFile(content, Buffer.concat([bytes.subarray(0, before), bytes.subarray(after)]))
  await writeFile(mark, Buffer.from(hex.slice(1, -1), "hex"))
  const judged = ["-inform", "DER", "-in", mark, "-content", content, "-CAfile", root, "-purpose", "any"]
  const { stderr } = await run("openssl", [
    "cms",
    "-verify",
    "-cades",
    "-binary",
    ...judged,
    "-out",
    "/dev/null",
  ])
  return stderr.trim()
}

/** Nothing if qpdf finds no fault, else what it says. */
export async function qpdfFaults(file: string): Promise<string> {
  return run("qpdf", ["--check", file]).then(
    ({ stderr }) => stderr,
    (error: { stderr: string }) => error.stderr,
  )
}
