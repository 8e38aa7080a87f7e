import { spawn } from "node:child_process"
import type { Program, RoomLimits } from "./room.ts"
import { surrounded } from "./surroundings.ts"

/** Of the limit on memory: V8 should tidy up its own part before the whole comes near. */
const HEAP_SHARE = 0.6

/** With nothing of what its parent has: no environment, no folder, no files but those named (R18). */
export function spawnLimited({ file, argument, readable, addons, code }: Program, limits: RoomLimits) {
  const node = [
    process.execPath,
    `--max-old-space-size=${Math.floor((HEAP_SHARE * limits.rssLimitBytes) / 1_048_576)}`,
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...(addons ? ["--allow-addons"] : []),
    ...(code === undefined ? [] : [`--allow-fs-read=${code}/*`, `--allow-fs-write=${code}/*`]),
    "--disable-warning=SecurityWarning",
    file,
    ...(argument === undefined ? [] : [argument]),
  ]
  const [command = process.execPath, ...args] = surrounded(node, limits)
  const env = code === undefined ? {} : { NODE_COMPILE_CACHE: code }
  return spawn(command, args, { env, cwd: "/", stdio: ["pipe", "pipe", "ignore"] })
}
