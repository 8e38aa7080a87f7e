// npm run stack -- up|down|status
import { relative, resolve } from "node:path"
import { parseArgs } from "node:util"
import { mailboxUrl } from "./mail.ts"
import { down, root, status, up } from "./stack.ts"

const usage = `npm run stack -- up [--fast] | down [--purge] | status     [--dir FOLDER]

up       starts what is not running; --fast trades PostgreSQL's fsync for speed (tests only)
down     stops the services; --purge also removes their data, keys and secrets
status   one line per service; exit code 1 when one is down
The folder is --dir, else PARAPH_STACK, else .stack`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: "string" }, fast: { type: "boolean" }, purge: { type: "boolean" } },
})
const dir = resolve(values.dir ?? process.env.PARAPH_STACK ?? resolve(root, ".stack"))
const shown = relative(process.cwd(), dir) || "."

switch (positionals.join(" ")) {
  case "up":
    await start()
    break
  case "down":
    await down(dir, { purge: values.purge ?? false })
    console.log(values.purge ? `stopped, and ${shown} removed` : "stopped")
    break
  case "status":
    await report()
    break
  default:
    console.error(usage)
    process.exitCode = 2
}

async function start(): Promise<void> {
  const begun = Date.now()
  const { started, services } = await up(dir, { fast: values.fast ?? false })
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  console.log(started.length > 0 ? `started ${started.join(", ")} in ${seconds} s` : "already running")
  await report()
  console.log(`mails are shown at ${mailboxUrl(services.mailbox.httpPort ?? 0)}`)
  console.log(`settings: ${shown}/env`)
}

async function report(): Promise<void> {
  for (const { name, port, healthy } of await status(dir)) {
    console.log(`${name.padEnd(10)} ${port === 0 ? "    -" : port} ${healthy ? "up" : "down"}`)
    if (!healthy) process.exitCode = 1
  }
}
