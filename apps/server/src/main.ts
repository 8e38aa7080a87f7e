import { flushCompileCache } from "node:module"
import type { AddressInfo } from "node:net"
import { ConfigFaults, loadConfig } from "./config.ts"
import { createManagement } from "./http/management.ts"
import { createServer } from "./http/server.ts"
import { startBounces } from "./jobs/bounces.ts"
import { startDeliveries } from "./jobs/deliver.ts"
import { startSweep } from "./jobs/sweep.ts"
import { startWorker } from "./jobs/worker.ts"
import { buildParts, type Parts } from "./parts.ts"
import { createLogger } from "./telemetry/logs.ts"
import { startTraces } from "./telemetry/traces.ts"
import { buildWorkerParts, type WorkerParts } from "./worker-parts.ts"

/** Reads the configuration, builds the parts, starts the roles, and stops them in the opposite order. */
async function main(): Promise<void> {
  const config = loadConfig()
  const role = config.ROLES.join("+")
  const log = createLogger(config.LOG_LEVEL, role)
  const traces = await startTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.OTEL_TRACES_SAMPLER_ARG, role)
  const shared = await buildParts(config, log)
  const worker = config.ROLES.includes("worker") ? await buildWorkerParts(config, shared) : null
  const parts: Parts | WorkerParts = worker ?? shared

  const management = createManagement(parts.readiness, parts.metrics, parts.besides)
  await management.listen({ host: config.MANAGEMENT_HOST, port: config.MANAGEMENT_PORT })
  const api = config.ROLES.includes("api")
    ? await createServer(parts, { trustedProxies: config.TRUSTED_PROXIES })
    : null
  await api?.listen({ host: config.HOST, port: config.PORT })
  const working = worker === null ? null : await startWorker(worker)
  const bounces = worker === null ? null : await startBounces(worker, config.BOUNCE_LISTEN)
  const deliveries = worker === null ? null : startDeliveries(worker)
  const sweep = worker === null ? null : startSweep(worker, config.SWEEP_SECONDS)

  const stop = async (signal: string) => {
    log.info({ signal }, "stopping")
    // What is stuck must not hold the process for ever: the queue gives its jobs to another worker.
    setTimeout(() => process.exit(1), config.SHUTDOWN_SECONDS * 1000).unref()
    await api?.close()
    await bounces?.close()
    await deliveries?.stop()
    await sweep?.stop()
    await working?.stop()
    await parts.jobs.stop(config.SHUTDOWN_SECONDS * 1000)
    await worker?.closeWorker()
    await parts.close()
    await management.close()
    await traces.stop()
    log.info("stopped")
  }
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop(signal))
  // Last: whoever waits for this line may ask the process to stop right after it.
  log.info({ port: portOf(api), managementPort: portOf(management) }, "ready")
  // Where NODE_COMPILE_CACHE names a folder, Node would write it at an orderly end, which may be months away or never come.
  flushCompileCache()
}

const portOf = (server: { server: { address: () => AddressInfo | string | null } } | null) => {
  const address = server?.server.address()
  return typeof address === "object" ? address?.port : undefined
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigFaults ? error.message : (error as Error).stack}\n`)
  process.exit(1)
})
