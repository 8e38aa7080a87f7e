import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { parseEnv } from "node:util"
import { inject } from "vitest"

/** A running stack whose template has been made (scripts/stack/template.ts). */
export type StackAtHand = { readonly dir: string; readonly env: Readonly<Record<string, string>> }

export const sharedStack = (): StackAtHand => ({ dir: stackDir(), env: stackSettings() })

let named: string | null = null

/** A measurement runs without Vitest, which tells tests where their stack is. */
export function useStack(dir: string): void {
  named = dir
}

const stackDir = (): string => named ?? inject("stackDir")

/** The settings of the running stack, as `npm run stack -- up` wrote them. */
export function stackSettings(): Record<string, string> {
  const settings = parseEnv(readFileSync(join(stackDir(), "env"), "utf8"))
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? ""]))
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === "string") throw new Error("No port.")
  return address.port
}
