// Programs by other people that judge what our engine made. None of them shares code with it.

import { execFile, spawn } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const PYTHON = fileURLToPath(new URL("../../.tools/pyhanko/bin/python", import.meta.url))
const DRIVER = fileURLToPath(new URL("pyhanko-verify.py", import.meta.url))

export type PyhankoSignature = {
  readonly field: string
  readonly valid?: boolean
  readonly intact?: boolean
  readonly trusted?: boolean
  readonly coverage?: string
  readonly modification?: string | null
  readonly bottomLine?: boolean
  readonly error?: string
}
export type PyhankoVerdict = {
  readonly file: string
  readonly signatures?: readonly PyhankoSignature[]
  readonly error?: string
}

/** Both processors get one process each; starting Python once per file would take minutes. */
export async function pyhanko(root: string, files: readonly string[]): Promise<Map<string, PyhankoVerdict>> {
  const halves = [files.filter((_, i) => i % 2 === 0), files.filter((_, i) => i % 2 === 1)]
  const verdicts = await Promise.all(halves.map((half) => runDriver(JSON.stringify({ root, files: half }))))
  return new Map(verdicts.flat().map((verdict) => [verdict.file, verdict]))
}

function runDriver(order: string): Promise<readonly PyhankoVerdict[]> {
  const child = spawn(PYTHON, [DRIVER], { stdio: ["pipe", "pipe", "inherit"] })
  const output: Buffer[] = []
  child.stdout.on("data", (data: Buffer) => output.push(data))
  child.stdin.end(order)
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      if (code !== 0) reject(new Error(`pyHanko's driver ended with ${code}.`))
      else resolve(JSON.parse(Buffer.concat(output).toString("utf8")))
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
