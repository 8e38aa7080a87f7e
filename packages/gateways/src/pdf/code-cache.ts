import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, readdir } from "node:fs/promises"
import { join } from "node:path"
import { sandboxHere } from "./sandbox/sandbox.ts"
import { isRoot } from "./sandbox/uid.ts"

/**
 * What Node made of a program's sources, kept for the next process: reading and compiling them is four fifths of its
 * start. A first process writes it, which sees no document. Node refuses to use a cache that it may not write, so those
 * that do see one have that right; but the sandbox lets them change nothing, and without it the limit on files lets
 * them write no byte by any call that Node has (R18). Without either, or with native code in the process, there is no cache.
 */
export async function compileAhead(
  file: string,
  folder: string,
  ending: AbortSignal,
): Promise<string | null> {
  if (!sandboxHere(folder).protections.limits) return null
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
  if (code !== 0 || ending.aborted) return null
  await openToSandbox(cache)
  return cache
}

/** Started by root, a process is another user. What was compiled is no secret, and the folder above stays closed to all others. */
async function openToSandbox(cache: string): Promise<void> {
  if (!isRoot()) return
  await chmod(cache, 0o755)
  for (const entry of await readdir(cache, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

const START_MS = 30_000
