// The example of the README is run as it stands there, by Node, in a folder that knows the packages only by their names.

import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { signingWorld } from "./testing/signing-world.ts"

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL("..", import.meta.url))
const DAY_MS = 86_400_000
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paraph-readme-"))
  await mkdir(join(folder, "node_modules/@paraph"), { recursive: true })
  for (const name of ["pades", "pki", "validation"])
    await symlink(join(packageFolder, "..", name), join(folder, "node_modules/@paraph", name))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  await writeFile(join(folder, "example.ts"), await example())
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + DAY_MS) }
  const world = await signingWorld({ signer: validity, authorities: [validity] })
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  await writeFile(join(folder, "root.der"), world.root.certificate.der)
  await writeFile(join(folder, "contract.pdf"), await world.raise(world.sign(now), "B-LTA", now))
})
afterAll(() => rm(folder, { recursive: true }))

async function example(): Promise<string> {
  const readme = await readFile(join(packageFolder, "README.md"), "utf8")
  return /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ""
}

it("names every door of the package, and no file that is not there", async () => {
  const readme = await readFile(join(packageFolder, "README.md"), "utf8")
  const { exports } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"))
  const doors = Object.keys(exports).map((door) => door.slice("./".length))
  const rows = readme.slice(readme.indexOf("## Doors"), readme.indexOf("## Promises")).split("\n")
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([a-z-]+)`/g)].map(([, door]) => door),
  )
  expect(named.toSorted()).toEqual(doors.toSorted())
  const paths = [...readme.matchAll(/`((?:src|tests)\/[^`]+\.ts)`/g)].map(([, path = ""]) => path)
  expect(paths.length).toBeGreaterThan(5)
  for (const path of paths) await access(join(packageFolder, path.startsWith("src") ? "" : "../..", path))
})

it("has an example that passes what is rightly signed, and says who signed it", async () => {
  const { stdout } = await run(process.execPath, ["example.ts"], { cwd: folder })
  expect(stdout.trim()).toBe("Ada TOTAL-PASSED undefined []")
})
