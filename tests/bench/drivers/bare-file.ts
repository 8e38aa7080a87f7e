// What nobody can save when a file is signed into another file: reading, hashing and writing its bytes, one signature.

import { createHash, sign } from "node:crypto"
import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { startWatch } from "../fastest.ts"
import { readIdentity } from "../identity-files.ts"
import { peakMemory } from "../peak-memory.ts"

const BLOCK_BYTES = 1_048_576

const [order = "{}"] = process.argv.slice(2)
const { from, to, files } = JSON.parse(order)
const { privateKey } = readIdentity(files)

const stop = startWatch()
const input = openSync(from, "r")
const output = openSync(to, "wx")
const hash = createHash("sha256")
const block = Buffer.allocUnsafe(BLOCK_BYTES)
for (let count = readSync(input, block); count > 0; count = readSync(input, block)) {
  hash.update(block.subarray(0, count))
  writeSync(output, block, 0, count)
}
writeSync(output, sign("sha256", hash.digest(), privateKey))
closeSync(input)
closeSync(output)
const spent = stop()

console.log(JSON.stringify({ ...spent, rssBytes: peakMemory() }))
