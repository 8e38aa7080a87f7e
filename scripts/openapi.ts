// npm run openapi: writes the descriptions of the interface to openapi/; with --check it only says whether they are true,
// and with --release it also keeps them as those of the last release, which v1 and v2 may only grow from.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { generate } from "@paraph/server/describe/generate"
import { FILES } from "@paraph/server/describe/words"

const folder = resolve(import.meta.dirname, "../openapi")
const words = process.argv.slice(2)
const described = await generate()
const wrong: string[] = []

for (const [version, file] of Object.entries(FILES)) {
  const text = `${JSON.stringify(described[version as keyof typeof described], null, 2)}\n`
  if (words.includes("--check")) {
    if (text !== read(resolve(folder, file))) wrong.push(`openapi/${file}`)
    continue
  }
  write(folder, file, text)
  if (words.includes("--release")) write(resolve(folder, "released"), file, text)
}
if (wrong.length > 0) {
  console.error(`${wrong.join(", ")}: not what the routes say. Run npm run openapi and look at what changed.`)
  process.exitCode = 1
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

function write(into: string, file: string, text: string): void {
  mkdirSync(into, { recursive: true })
  writeFileSync(resolve(into, file), text)
}
