import { execFile, spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { templateOf } from "../../scripts/stack/template.ts"
import { sharedStack } from "./settings.ts"

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, "../..")

export type Verdict = {
  /** poppler: one entry per signature. */
  readonly pdfsig: readonly string[]
  readonly signers: readonly string[]
  /** Time-stamps over the whole document, which poppler counts and does not judge. */
  readonly documentTimestamps: number
  /** OpenSSL, over the last signature's own byte range. */
  readonly openssl: string
  readonly pyhanko: readonly PyhankoVerdict[]
}

export type PyhankoVerdict = {
  readonly field: string
  readonly valid: boolean
  readonly intact: boolean
  readonly trusted: boolean
  readonly coverage: string
  readonly modification: string | null
  readonly bottomLine: boolean
}

/** Where trust begins: the authorities of the shared stack, and who stamps there. */
export function rootFiles(): readonly string[] {
  const { dir, env } = sharedStack()
  return [...Object.values(templateOf(dir).rootFiles), env.TRUST_ANCHORS_FILE ?? ""]
}

/** Three validators that are not ours, who trust these roots and nobody else. */
export async function judge(pdf: Buffer, roots: readonly string[] = rootFiles()): Promise<Verdict> {
  return asFile(pdf, async (file, dir) => ({
    ...(await askPoppler(file)),
    openssl: await opensslVerify(dir, pdf, roots),
    pyhanko: await pyhankoVerify(file, roots),
  }))
}

async function asFile<T>(pdf: Buffer, work: (file: string, dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "paraph-judge-"))
  const file = join(dir, "signed.pdf")
  try {
    await writeFile(file, pdf)
    return await work(file, dir)
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** The first of them alone, which is quick. */
export const pdfsigOf = (pdf: Buffer): Promise<readonly string[]> =>
  asFile(pdf, async (file) => (await askPoppler(file)).pdfsig)

async function askPoppler(file: string): Promise<Pick<Verdict, "pdfsig" | "signers" | "documentTimestamps">> {
  const { stdout } = await run("pdfsig", ["-nocert", file]).catch((error: { stdout: string }) => error)
  const entries = stdout.split(/^Signature #/m).slice(1)
  const isStamp = (entry: string) => /Signature Type: (ETSI.RFC3161|unknown)$/m.test(entry)
  const signatures = entries.filter((entry) => !isStamp(entry)).join("")
  return {
    pdfsig: matches(signatures, /Signature Validation: (.*)/g),
    signers: matches(signatures, /Signer Certificate Common Name: (.*)/g),
    documentTimestamps: entries.filter(isStamp).length,
  }
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((m) => m[1] ?? "")

/** Takes the last ByteRange of a signature at its word: those bytes against the CMS that stands in the gap. */
async function opensslVerify(dir: string, pdf: Buffer, rootFiles: readonly string[]): Promise<string> {
  const text = pdf.toString("latin1")
  const ranges = [
    ...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g),
    // A time-stamp over the document is no signature of anybody.
  ].filter(({ index }) => text.lastIndexOf("/DocTimeStamp", index) < text.lastIndexOf(" obj", index))
  const [a = 0, b = 0, c = 0, d = 0] = (ranges.at(-1) ?? []).slice(1).map(Number)
  const hex = pdf.subarray(a + b + 1, c - 1).toString("latin1")
  await writeFile(join(dir, "content"), Buffer.concat([pdf.subarray(a, a + b), pdf.subarray(c, c + d)]))
  await writeFile(join(dir, "cms"), Buffer.from(hex, "hex"))
  const roots = join(dir, "roots.pem")
  await writeFile(roots, (await Promise.all(rootFiles.map((file) => readFile(file)))).join(""))
  const words = ["cms", "-verify", "-cades", "-binary", "-inform", "DER", "-in", join(dir, "cms")]
  const rest = [
    "-content",
    join(dir, "content"),
    "-CAfile",
    roots,
    "-purpose",
    "any",
    "-out",
    join(dir, "out"),
  ]
  const { stderr } = await run("openssl", [...words, ...rest]).catch((error: { stderr: string }) => error)
  return stderr.trim()
}

async function pyhankoVerify(file: string, roots: readonly string[]): Promise<readonly PyhankoVerdict[]> {
  const child = spawn(join(ROOT, ".tools/pyhanko/bin/python"), [
    join(ROOT, "tests/conformance/pyhanko-verify.py"),
  ])
  child.stdin.end(JSON.stringify({ roots, files: [file] }))
  let out = ""
  for await (const chunk of child.stdout) out += chunk
  const [verdict] = JSON.parse(out) as { signatures?: PyhankoVerdict[]; error?: string }[]
  if (verdict?.signatures === undefined) throw new Error(`pyHanko: ${verdict?.error}`)
  return verdict.signatures
}
