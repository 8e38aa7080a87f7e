// For the tests: makes every attempt twice, in a PDF process as the service starts it and in an ordinary process, and prints both outcomes
// as JSON. It needs nothing but this checkout, so that it runs as any user and in a container. The argument is the probe's folder.

import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { readFrames, writeFrame } from "../../pdf/frame.ts"
import { readableFor } from "../../pdf/programs.ts"
import { type Program, startRoom } from "../../pdf/room.ts"
import { type Sandbox, sandboxHere } from "../../pdf/sandbox/sandbox.ts"
import { sharedLibraries } from "../../pdf/sandbox/shared-libraries.ts"
import { attemptsOn } from "../sandbox/attempts.ts"
import { type Scene, setScene } from "../sandbox/target.ts"

export type Outcomes = Readonly<Record<string, string>>

export type AttemptsHere = {
  readonly sandbox: Sandbox
  readonly uid: number
  /** By the title of the attempt; "done" is a success. */
  readonly confined: Outcomes
  readonly free: Outcomes
}

const [, , folder = ""] = process.argv
const probe = join(folder, "probe.node")
const code = join(import.meta.dirname, "attempts.ts")
const LIMITS = { rssLimitBytes: 500_000_000, wallMs: 120_000, cpuSeconds: 60 }

const scene = await setScene(sharedLibraries([]).linker ?? "")
const sandbox = sandboxHere(scene.target.spool)
// The confined one first: the other one removes things.
const confined = await attemptConfined(scene)
const free = await attemptFreely(scene)
const told: AttemptsHere = { sandbox, uid: process.getuid?.() ?? 0, confined, free }
process.stdout.write(`${JSON.stringify(told)}\n`)
await scene.close()

async function attemptConfined({ target, file }: Scene): Promise<Outcomes> {
  const program: Program = {
    file: code,
    folder: target.spool,
    readable: [
      join(import.meta.dirname, "..", "*"),
      join(folder, "*"),
      ...readableFor(["@paraph/pades", "@paraph/seal"]),
    ],
    addons: true,
  }
  const process = startRoom(program, LIMITS)
  // Its private folder is the only one there.
  const own = process.folder ?? ""
  const attempts = attemptsOn({ ...target, own, code })
  const { header } = await process.ask({ file, asked: { probe, attempts } })
  return outcomesIn(header)
}

async function attemptFreely({ target, file }: Scene): Promise<Outcomes> {
  const own = join(target.spool, randomUUID())
  mkdirSync(own)
  const child = spawn(process.execPath, [code], { stdio: ["pipe", "pipe", "inherit"] })
  const attempts = attemptsOn({ ...target, own, code })
  return new Promise((resolve, reject) => {
    child.once("close", (exitCode) => reject(new Error(`The unconfined process ended with ${exitCode}.`)))
    readFrames(child.stdout, ({ header }) => {
      if ((header as { type: string }).type === "ready")
        writeFrame(child.stdin, { file, asked: { probe, attempts } })
      else resolve(outcomesIn(header))
    })
  })
}

function outcomesIn(header: unknown): Outcomes {
  const { type, value } = header as { readonly type: string; readonly value: Outcomes }
  if (type !== "done") throw new Error(`The process answered ${JSON.stringify(header)}.`)
  return value
}
