// From a file to a file with this engine, in a process of its own that says how long it took and how much it needed.

import { copyFile } from "@paraph/pades/file"
import { startWatch } from "../fastest.ts"
import { readIdentity } from "../identity-files.ts"
import { signOnce } from "../paraph.ts"
import { peakMemory } from "../peak-memory.ts"

const [order = "{}"] = process.argv.slice(2)
const { from, to, files } = JSON.parse(order)
const identity = readIdentity(files)

const stop = startWatch()
const copy = copyFile(from, to)
copy.append(signOnce(copy.base(), identity))
copy.close()
const spent = stop()

console.log(JSON.stringify({ ...spent, rssBytes: peakMemory() }))
