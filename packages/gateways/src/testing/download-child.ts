import { fetchFile } from "../fetch-file/fetch-file.ts"
import { createOutbound } from "../outbound/outbound.ts"
import { heldBytes } from "./held-bytes.ts"

// For tests only: downloads in a process of its own, because that is how its memory can be measured. It prints how many bytes
// came, and at most how many more than before the process had taken ("taken") or somebody held ("held") meanwhile. Told to keep
// what comes ("kept"), it shows that it would be counted.

const [url = "", caFile = "", maxBytes = "0", how = "taken"] = process.argv.slice(2)
const outbound = createOutbound({ allowedHosts: { download: ["localhost"] }, caFile })
const measured = how === "taken" ? process.memoryUsage.rss : heldBytes
const kept: Uint8Array[] = []
const before = measured()
let size = 0
let most = 0
for await (const piece of (await fetchFile(outbound, url, { maxBytes: Number(maxBytes) })).bytes) {
  const begun = Math.floor(size / 1_000_000)
  size += piece.length
  if (how === "kept") kept.push(piece)
  // To collect garbage at each piece would take minutes.
  if (how === "taken" || Math.floor(size / 1_000_000) > begun) most = Math.max(most, measured() - before)
}
process.stdout.write(JSON.stringify({ size, most }))
