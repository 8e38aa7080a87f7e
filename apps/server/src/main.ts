import { flushCompileCache } from "node:module"
import { ConfigFaults, loadConfig } from "./config.ts"
import { faultTold } from "./fault-told.ts"
import { startServer } from "./start.ts"

/** Reads the configuration, starts, and stops when it is asked to. */
async function main(): Promise<void> {
  const config = loadConfig()
  const { log, port, managementPort, stop } = await startServer(config)
  const stopFor = async (signal: string) => {
    log.info({ signal }, "stopping")
    // What is stuck must not hold the process for ever: the queue gives its jobs to another worker.
    setTimeout(() => process.exit(1), config.SHUTDOWN_SECONDS * 1000).unref()
    await stop()
    log.info("stopped")
  }
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stopFor(signal))
  // Last: whoever waits for this line may ask the process to stop right after it.
  log.info({ port, managementPort }, "ready")
  // Where NODE_COMPILE_CACHE names a folder, Node would write it at an orderly end, which may be months away or never come.
  flushCompileCache()
}

main().catch((error: unknown) => {
  const told = error instanceof ConfigFaults ? error.message : faultTold(error)
  process.stderr.write(`${told ?? (error as Error).stack}\n`)
  process.exit(1)
})
