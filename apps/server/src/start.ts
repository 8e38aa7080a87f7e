import type { AddressInfo } from "node:net"
import type { FastifyInstance } from "fastify"
import type { Config } from "./config.ts"
import { createManagement } from "./http/management.ts"
import { createServer } from "./http/server.ts"
import { type RenewableServer, readTls, reloadTls, type TlsFiles } from "./http/tls.ts"
import { startBounces } from "./jobs/bounces.ts"
import { startDeliveries } from "./jobs/deliver.ts"
import { startSweep } from "./jobs/sweep.ts"
import { startTendingLog } from "./jobs/tend-log.ts"
import { startWorker } from "./jobs/worker.ts"
import { buildParts, type Parts } from "./parts.ts"
import { createLogger, type Logger } from "./telemetry/logs.ts"
import { startTraces } from "./telemetry/traces.ts"
import { buildWorkerParts, type WorkerParts } from "./worker-parts.ts"

export type StartedServer = {
  readonly log: Logger
  readonly port: number | undefined
  readonly managementPort: number | undefined
  readonly stop: () => Promise<void>
}

/**
 * Builds the parts, starts the roles, and stops them in the opposite order. Whoever has something else to say on the output has the
 * log written to the errors.
 */
export async function startServer(config: Config, logTo?: "errors"): Promise<StartedServer> {
  const role = config.ROLES.join("+")
  const log = createLogger(config.LOG_LEVEL, role, logTo)
  const traces = await startTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.OTEL_TRACES_SAMPLER_ARG, role)
  const shared = await buildParts(config, log)
  const worker = config.ROLES.includes("worker") ? await buildWorkerParts(config, shared) : null
  const parts: Parts | WorkerParts = worker ?? shared

  const files = { certificate: config.TLS_CERT_FILE, key: config.TLS_KEY_FILE }
  const tls = config.TLS_CERT_FILE === "" ? null : readTls(files)
  const management = createManagement(
    parts.readiness,
    parts.metrics,
    parts.besides,
    parts.knows,
    config.MANAGEMENT_TLS ? tls : null,
  )
  await management.listen({ host: config.MANAGEMENT_HOST, port: config.MANAGEMENT_PORT })
  const roles = config.ROLES.filter((each) => each !== "worker")
  // Keys in plain files: whatever is signed by them is worth nothing, and the pages say so.
  const settings = {
    trustedProxies: config.TRUSTED_PROXIES,
    roles,
    isSandbox: config.KEYS_FOLDER !== "",
    tls,
  }
  const api = roles.length > 0 ? await createServer(parts, settings) : null
  await api?.listen({ host: config.HOST, port: config.PORT })
  const servers = [api, config.MANAGEMENT_TLS ? management : null]
  const unwatch =
    tls === null ? [] : servers.flatMap((one) => (one === null ? [] : reloading(one, files, log)))
  const working = worker === null ? null : await startWorker(worker)
  const bounces = worker === null ? null : await startBounces(worker, config.BOUNCE_LISTEN)
  const deliveries = worker === null ? null : startDeliveries(worker)
  const sweep = worker === null ? null : startSweep(worker, config.SWEEP_SECONDS)
  const tending = worker === null ? null : startTendingLog(worker)

  const stop = async () => {
    for (const each of unwatch) each()
    await api?.close()
    await bounces?.close()
    await deliveries?.stop()
    await sweep?.stop()
    await tending?.stop()
    await working?.stop()
    await parts.jobs.stop(config.SHUTDOWN_SECONDS * 1000)
    await worker?.closeWorker()
    await parts.close()
    await management.close()
    await traces.stop()
  }
  return { log, port: portOf(api), managementPort: portOf(management), stop }
}

const reloading = ({ server }: FastifyInstance, files: TlsFiles, log: Logger) =>
  reloadTls(server as unknown as RenewableServer, files, {
    onReloaded: () => log.info("certificate renewed"),
    onUnusable: (error) => log.warn({ error }, "certificate cannot be used"),
  })

const portOf = (server: { server: { address: () => AddressInfo | string | null } } | null) => {
  const address = server?.server.address()
  return typeof address === "object" ? address?.port : undefined
}
