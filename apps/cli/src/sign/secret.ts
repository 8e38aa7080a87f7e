import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { environment } from "../environment.ts"
import { NotUnderstood } from "../not-understood.ts"

/** A PIN or a passphrase: from a file that the environment names, a prompt that shows nothing, or the first line of stdin. */
export async function readSecret(asked: string, file = environment().PARAPH_PIN_FILE): Promise<string> {
  if (file) return inFile(file)
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(`${asked}: `)
  // What is typed would be shown again by the reader of lines; here it goes nowhere.
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal })
  // On a terminal the reader takes Ctrl-C for itself, and would only stop to read.
  lines.once("SIGINT", () => {
    lines.close()
    process.kill(process.pid, "SIGINT")
  })
  try {
    for await (const line of lines) return line
    throw new NotUnderstood(
      `${asked}: PARAPH_PIN_FILE names a file, or it is typed, or the first line of the input.`,
    )
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write("\n")
  }
}

function inFile(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "")
  } catch {
    throw new NotUnderstood(`${file} cannot be read.`)
  }
}
