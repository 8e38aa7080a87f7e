// EU DSS and pyHanko, asked about many files at once, each at its time and with its anchors.

import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import type { ToJudge } from "./inputs.ts"
import { DSS_STRICT } from "./policies.ts"

export type Opinion = {
  readonly field: string
  readonly indication?: string
  readonly subIndication?: string
  /** pyHanko: whether what happened later is allowed; false is as good as failed. */
  readonly changesAllowed?: boolean | null
  readonly error?: string
}
/** By the title of what was judged; an error where the file was not judged at all. */
export type Opinions = ReadonlyMap<string, readonly Opinion[] | { readonly error: string }>

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const PYTHON = here("../../../.tools/pyhanko/bin/python")
const JAVA = ["../../../.tools/java-oracles/judges.jar", "../../../.tools/java-oracles/lib/*"]
  .map(here)
  .join(":")

export async function askDss(inputs: readonly ToJudge[]): Promise<Opinions> {
  const opinions = new Map<string, readonly Opinion[] | { readonly error: string }>()
  // A file has one time in an order, and most have two.
  for (const batch of withoutRepetition(inputs)) {
    const order = {
      anchors: [],
      files: batch.map(({ file }) => file),
      times: Object.fromEntries(batch.map(({ file, at }) => [file, at.toISOString()])),
      ownAnchors: Object.fromEntries(batch.map(({ file, anchors }) => [file, encoded(anchors)])),
      policy: DSS_STRICT,
    }
    const lines = await converse(
      "java",
      ["-Xmx2g", "-Djava.awt.headless=true", "-cp", JAVA, "paraph.DssJudge"],
      order,
    )
    keep(opinions, batch, lines)
  }
  return opinions
}

export async function askPyhanko(inputs: readonly ToJudge[]): Promise<Opinions> {
  const opinions = new Map<string, readonly Opinion[] | { readonly error: string }>()
  const processes = Math.min(2, availableParallelism())
  for (const batch of withoutRepetition(inputs)) {
    const parts = Array.from({ length: processes }, (_, k) => batch.filter((_, i) => i % processes === k))
    await Promise.all(
      parts.map(async (part) => {
        const files = part.map(({ file, at, anchors }) => ({
          file,
          at: at.toISOString(),
          anchors: encoded(anchors),
        }))
        keep(opinions, part, await converse(PYTHON, [here("pyhanko-judge.py")], { files }))
      }),
    )
  }
  return opinions
}

function withoutRepetition(inputs: readonly ToJudge[]): readonly (readonly ToJudge[])[] {
  const batches: ToJudge[][] = []
  for (const input of inputs) {
    const batch = batches.find((one) => one.every(({ file }) => file !== input.file))
    if (batch === undefined) batches.push([input])
    else batch.push(input)
  }
  return batches
}

const encoded = (anchors: ToJudge["anchors"]) => anchors.map(({ der }) => Buffer.from(der).toString("base64"))

type Line = { readonly file: string; readonly signatures?: readonly Opinion[]; readonly error?: string }

function keep(
  opinions: Map<string, readonly Opinion[] | { readonly error: string }>,
  batch: readonly ToJudge[],
  lines: string,
): void {
  for (const line of lines.split("\n").filter(Boolean)) {
    const { file, signatures, error = "no answer" } = JSON.parse(line) as Line
    const input = batch.find((one) => one.file === file)
    if (input !== undefined) opinions.set(input.title, signatures ?? { error })
  }
}

function converse(program: string, args: readonly string[], order: object): Promise<string> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
  const output: Buffer[] = []
  child.stdout.on("data", (data: Buffer) => output.push(data))
  child.stdin.end(JSON.stringify(order))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0
        ? resolve(Buffer.concat(output).toString("utf8"))
        : reject(new Error(`${program} ended with ${code}.`)),
    )
  })
}
