import { readdirSync } from "node:fs"
import { newKey } from "@paraph/seal/wrap"
import { openSpool } from "../blobs/spool.ts"

// Run with a limit on the size of files (`ulimit -f`): the system then writes a part, and refuses the rest.
const spool = await openSpool(process.argv[2] ?? "")
let left = false
async function* endless() {
  try {
    for (;;) yield Buffer.alloc(50_000)
  } finally {
    left = true
  }
}
const error = await spool
  .take(newKey(), "context", endless())
  .catch((thrown: NodeJS.ErrnoException) => thrown)
const code = error instanceof Error ? error.code : null
process.stdout.write(JSON.stringify({ code, left, files: readdirSync(spool.folder) }))
await spool.close()
