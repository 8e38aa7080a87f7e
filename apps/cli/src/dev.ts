import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { COMMANDS } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { typed } from "./synopsis.ts"

const SCRIPT = fileURLToPath(new URL("../../../scripts/dev.ts", import.meta.url))

/** `paraph dev`: `npm run dev` by another name, where there is a checkout (ADR 0059). */
export async function dev(words: readonly string[], script: string = SCRIPT): Promise<number> {
  typed(COMMANDS.dev.usage, words)
  if (!existsSync(script))
    throw new NotUnderstood(
      "paraph dev is for those who work on the service, in a checkout of it. To try it out: paraph sandbox",
    )
  const child = spawn(process.execPath, [script], { stdio: "inherit" })
  // The terminal sends these to both; whoever sends them to us alone means the service.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, "exit")) as [number | null]
  return code ?? 1
}
