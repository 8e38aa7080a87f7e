// Time-stamps and revocation answers for a stack (packages/trust-sandbox): node trust-service.ts PORT FOLDER CLOCKS ROOT
// A service that a test has sent ahead finds an authority of its own time at /<name>/tsa, where CLOCKS holds <name>.clock.
import { join } from "node:path"
import { writePrivate } from "@paraph/cli/sandbox/private-file"
import { createClock } from "@paraph/server/clock"
import { toPem } from "@paraph/trust-sandbox/authority"
import { startSandboxes } from "@paraph/trust-sandbox/sandboxes"

const [port = "", folder = "", clocks = "", rootFile = ""] = process.argv.slice(2)
const { root } = await startSandboxes({
  port: Number(port),
  folder,
  clockOf: (name) => createClock(join(clocks, `${name}.clock`)),
})
await writePrivate(rootFile, toPem(root))
