import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { surroundings } from "./surroundings.ts"

/**
 * What Node made of a program's sources, kept for the next process: reading and compiling them is four fifths of its
 * start. A first process writes it, which sees no document. Those that do see one may only read it: Node refuses to use a
 * cache that it may not write, but the limit on files lets none of them write a single byte (R18), and where there is no
 * such limit there is no cache.
 */
export async function compileAhead(
  file: string,
  folder: string,
  ending: AbortSignal,
): Promise<string | null> {
  if (surroundings().files !== "none") return null
  const cache = join(folder, "code")
  await mkdir(cache, { recursive: true, mode: 0o700 })
  if (ending.aborted) return null
  // It finds nothing to read and ends by itself, which is when the cache is written.
  const child = spawn(process.execPath, [file], {
    env: { NODE_COMPILE_CACHE: cache },
    cwd: "/",
    stdio: "ignore",
    timeout: START_MS,
  })
  const kill = () => void child.kill("SIGKILL")
  ending.addEventListener("abort", kill)
  const [code] = (await once(child, "exit")) as [number | null]
  ending.removeEventListener("abort", kill)
  return code === 0 && !ending.aborted ? cache : null
}

const START_MS = 30_000
