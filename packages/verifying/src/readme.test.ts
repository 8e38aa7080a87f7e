// The example of the README is run as it stands there, by Node, in a folder that knows the packages only by their names.

import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { toldWorld } from "./testing/told-world.ts"

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL("..", import.meta.url))
let folder: string
let readme: string

beforeAll(async () => {
  readme = await readFile(join(packageFolder, "README.md"), "utf8")
  folder = await mkdtemp(join(tmpdir(), "paraph-readme-"))
  await mkdir(join(folder, "node_modules/@paraph"), { recursive: true })
  await symlink(packageFolder, join(folder, "node_modules/@paraph/verifying"))
  const { contract, report, root, keyLine } = await toldWorld()
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "example.ts"), /```ts\n(.*?)```/s.exec(readme)?.[1] ?? "")
  await writeFile(join(folder, "contract.pdf"), contract)
  await writeFile(join(folder, "report.pdf"), report)
  await writeFile(join(folder, "root.der"), root)
  await writeFile(join(folder, "log.key"), `${keyLine}\n`)
})
afterAll(() => rm(folder, { recursive: true }))

it("names every door of the package, and no file that is not there", async () => {
  const { exports } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"))
  const rows = readme.slice(readme.indexOf("## Doors"), readme.indexOf("## Promises")).split("\n")
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, door]) => `./${door}`),
  )
  expect(named.toSorted()).toEqual(Object.keys(exports).toSorted())
  const paths = [...readme.matchAll(/`((?:src|tests|apps)\/[^`]+\.ts)`/g)].map(([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(4)
  for (const path of paths) await access(join(packageFolder, path.startsWith("src") ? "" : "../..", path))
})

it("has an example that holds, and says so", async () => {
  const { stdout } = await run(process.execPath, ["example.ts"], { cwd: folder })
  expect(stdout.trim()).toBe("holds Everything that was checked holds.")
})
