import { execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"

const BIN = resolve(import.meta.dirname, "../../../.tools/bin")
const JUDGE = join(BIN, "log-judge")

/** Whether somebody else's tools are at hand. */
export const CAN_JUDGE = existsSync(JUDGE)

/** A folder or an address, the key of the log, and sizes that it had. */
export const judge = (...asked: readonly string[]) =>
  new Promise<string>((done) => {
    execFile(JUDGE, asked, { maxBuffer: 1 << 20 }, (_, stdout, stderr) => done((stdout + stderr).trim()))
  })

/** Somebody who signs heads of the log whose key will be in that file. */
export async function startWitness(name: string, keyFile: string) {
  const child = spawn(join(BIN, "log-witness"), ["127.0.0.1:0", name, keyFile], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const line = await new Promise<string>((said) =>
    createInterface({ input: child.stdout }).once("line", said),
  )
  const [key = "", address = ""] = line.split(" ")
  return { key, url: `http://${address}`, stop: () => void child.kill() }
}
