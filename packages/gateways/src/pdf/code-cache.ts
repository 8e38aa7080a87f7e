import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { surroundings } from "./surroundings.ts"

/**
 * What Node made of a program's sources, kept for the next process: reading and compiling them is four fifths of its
 * start. A first process writes it, which sees no document. Node refuses to use a cache that it may not write, so those
 * that do see one have that right; but the limit on files lets them write no byte by any call that Node has (R18). They
 * could remove or swap entries, which costs time and no more: Node holds each entry against its source. Without that
 * limit, or with native code in the process, which could map a file, there is no cache.
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
