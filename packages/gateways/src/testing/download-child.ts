import { fetchFile } from "../fetch-file/fetch-file.ts"
import { createOutbound } from "../outbound/outbound.ts"

// For tests only: downloads in a process of its own, because that is how its memory can be measured. It prints how many
// bytes came, by how many bytes the process grew at most meanwhile, and, where garbage can be collected by hand
// (--expose-gc), how many bytes were held at most. Told to keep the pieces, it shows that they would be counted.

const [url = "", caFile = "", maxBytes = "0", keep] = process.argv.slice(2)
const outbound = createOutbound({ allowedHosts: { download: ["localhost"] }, caFile })
const kept: Uint8Array[] = []
collectGarbage()
const before = process.memoryUsage()
let size = 0
let grownBytes = 0
let heldBytes = 0
for await (const piece of (await fetchFile(outbound, url, { maxBytes: Number(maxBytes) })).bytes) {
  const begun = Math.floor(size / 1_000_000)
  size += piece.length
  if (keep !== undefined) kept.push(piece)
  grownBytes = Math.max(grownBytes, process.memoryUsage.rss() - before.rss)
  if (global.gc === undefined || Math.floor(size / 1_000_000) === begun) continue
  collectGarbage()
  heldBytes = Math.max(heldBytes, process.memoryUsage().arrayBuffers - before.arrayBuffers)
}
process.stdout.write(JSON.stringify({ size, grownBytes, heldBytes }))

/** V8 frees the bytes of dead buffers beside the program: only a second collection waits for what the first began. */
function collectGarbage() {
  global.gc?.()
  global.gc?.()
}
