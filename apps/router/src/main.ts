import { openDirectory } from "@paraph/store/directory/directory"
import { pino } from "pino"
import { askCell } from "./ask-cells.ts"
import { loadConfig } from "./config.ts"
import { createRouter } from "./server.ts"
import { createWhereabouts } from "./whereabouts.ts"

/** Reads the settings, starts, and stops when it is asked to. */
async function main(): Promise<void> {
  const config = loadConfig()
  const log = pino({
    level: config.logLevel,
    base: { role: "router" },
    timestamp: pino.stdTimeFunctions.isoTime,
  })
  const directory = openDirectory(config.directoryUrl)
  const { cells } = config
  const whereabouts = createWhereabouts({ cells, directory, ask: askCell, now: Date.now })
  const server = await createRouter({ config, whereabouts, health: directory.health, log })
  await server.listen({ host: config.host, port: config.port })
  const stop = async () => {
    setTimeout(() => process.exit(1), 20_000).unref()
    await server.close()
    await directory.close()
  }
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop())
  const address = server.server.address()
  log.info({ port: typeof address === "object" ? address?.port : undefined }, "ready")
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
})
