// The example of the README is run as it stands there, by Node, in a folder that knows the package only by its name.

import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL("..", import.meta.url))
let folder: string
let readme: string

beforeAll(async () => {
  readme = await readFile(join(packageFolder, "README.md"), "utf8")
  folder = await mkdtemp(join(tmpdir(), "paraph-readme-"))
  await mkdir(join(folder, "node_modules/@paraph"), { recursive: true })
  await symlink(packageFolder, join(folder, "node_modules/@paraph/tlog"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "example.ts"), /```ts\n(.*?)```/s.exec(readme)?.[1] ?? "")
})
afterAll(() => rm(folder, { recursive: true }))

it("names every door of the package, and no file that is not there", async () => {
  const { exports } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"))
  const rows = readme.slice(readme.indexOf("## Doors"), readme.indexOf("## Promises")).split("\n")
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, door]) => `./${door}`),
  )
  expect(named.toSorted()).toEqual(Object.keys(exports).toSorted())
  const paths = [...readme.matchAll(/`((?:src|tests)\/[^`]+\.ts)`/g)].map(([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(4)
  for (const path of paths) await access(join(packageFolder, path.startsWith("src") ? "" : "../..", path))
})

it("has an example that grows a log, signs its head and proves an entry", async () => {
  const { stdout } = await run(process.execPath, ["example.ts"], { cwd: folder })
  expect(stdout.trim()).toBe("example.org/log 2 true")
})
