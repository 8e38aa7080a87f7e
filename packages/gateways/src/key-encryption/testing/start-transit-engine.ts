// For the tests: the real transit engine, as a program (transit-engine/main.go), where it has been built.

import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { createOutbound } from "../../outbound/outbound.ts"

const program = fileURLToPath(new URL("../../../../../.tools/bin/transit-engine", import.meta.url))

export const hasTransitEngine = existsSync(program)

/** It lets in whoever has this token: tokens and policies are not the engine's. */
export const ENGINE_TOKEN = "root"

export async function startTransitEngine() {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] })
  const host = await new Promise<string>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", () => reject(new Error("The transit engine ended.")))
    createInterface(child.stdout).once("line", resolve)
  })
  const address = `http://${host}`
  const outbound = createOutbound({ allowedHosts: { keys: [host] } })
  return {
    address,
    outbound,
    /** What an operator does: make a key, rotate it, configure it. */
    manage: async (path: string, asked: object) => {
      const { status } = await outbound.request("keys", `${address}/v1/transit/${path}`, {
        method: "POST",
        headers: { "x-vault-token": ENGINE_TOKEN },
        body: Buffer.from(JSON.stringify(asked)),
        maxBytes: 65_536,
        timeoutMs: 10_000,
      })
      if (status !== 200 && status !== 204) throw new Error(`The engine answered ${path} with ${status}.`)
    },
    close: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve))
      // It ends with its standard input.
      child.stdin.end()
      await gone
    },
  }
}
