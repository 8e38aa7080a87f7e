import { spawn } from "node:child_process"
import type { Program, RoomLimits } from "./room.ts"
import { launched } from "./sandbox/launcher.ts"
import { sandboxHere } from "./sandbox/sandbox.ts"
import { sharedLibraries } from "./sandbox/shared-libraries.ts"
import { MAPPED_AT_REST_BYTES, OPEN_FILES, surrounded } from "./surroundings.ts"

/** Of the limit on memory: V8 should tidy up its own part before the whole comes near. */
const HEAP_SHARE = 0.6

/**
 * Starts the program in the sandbox of this system: no environment, and no files but its code and the private folder
 * `documents` (R18). Node's permission model applies in addition; native code is outside of it.
 */
export function spawnLimited(program: Program, limits: RoomLimits, documents: string | null) {
  const { file, argument, readable, addons, code } = program
  const node = [
    process.execPath,
    `--max-old-space-size=${Math.floor((HEAP_SHARE * limits.rssLimitBytes) / 1_048_576)}`,
    // The configuration of the system is outside of the sandbox, and OpenSSL takes "not allowed" for an error.
    "--openssl-config=/nonexistent/openssl.cnf",
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...(documents === null ? [] : [`--allow-fs-read=${documents}/*`]),
    ...(addons ? ["--allow-addons"] : []),
    ...(code === undefined ? [] : [`--allow-fs-read=${code}/*`, `--allow-fs-write=${code}/*`]),
    "--disable-warning=SecurityWarning",
    file,
    ...(argument === undefined ? [] : [argument]),
  ]
  const environment: Record<string, string> = code === undefined ? {} : { NODE_COMPILE_CACHE: code }
  const isLaunched = sandboxHere(program.folder).mechanism === "launcher"
  const [command = process.execPath, ...args] = isLaunched
    ? launched(node, {
        readable: code === undefined ? readable : [...readable, code],
        documents,
        libraries: sharedLibraries(addons ? readable : []),
        cpuSeconds: limits.cpuSeconds,
        dataBytes: limits.rssLimitBytes + MAPPED_AT_REST_BYTES,
        openFiles: OPEN_FILES,
        environment,
      })
    : surrounded(node, limits)
  return spawn(command, args, { env: environment, cwd: "/", stdio: ["pipe", "pipe", "ignore"] })
}
