// The example of the README is run as it stands there, by Node, in a folder that knows the package only by its name.

import { execFile } from "node:child_process"
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { samplePdf } from "./sample.ts"
import { readSecurityStore } from "./signed/security-store.ts"
import { readSignatures } from "./signed/signatures.ts"
import { bytesSource } from "./source.ts"
import { openPdf } from "./structure/document.ts"

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL("..", import.meta.url))
const contract = samplePdf()
let folder: string
let example: string

beforeAll(async () => {
  example = /```ts\n(.*?)```/s.exec(await readFile(join(packageFolder, "README.md"), "utf8"))?.[1] ?? ""
  folder = await mkdtemp(join(tmpdir(), "paraph-readme-"))
  await mkdir(join(folder, "node_modules/@paraph"), { recursive: true })
  await symlink(packageFolder, join(folder, "node_modules/@paraph/pades"))
  await writeFile(join(folder, "package.json"), '{ "type": "module" }')
  const yours = join(packageFolder, "src/testing/authorities.ts")
  await writeFile(join(folder, "yours.ts"), `export { authorities, signer } from ${JSON.stringify(yours)}`)
  await writeFile(join(folder, "example.ts"), example)
  await writeFile(join(folder, "contract.pdf"), contract)
})
afterAll(() => rm(folder, { recursive: true }))

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

it("has an example of ten lines", () => {
  const lines = example.split("\n").filter((line) => line.trim() !== "")
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.length).toBeLessThanOrEqual(10)
})

it("has an example that signs a contract and raises it to B-LTA", async () => {
  const use = `import { readFileSync, writeFileSync } from "node:fs"
    import { signContract } from "./example.ts"
    writeFileSync("signed.pdf", await signContract(readFileSync("contract.pdf")))`
  await writeFile(join(folder, "use.ts"), use)
  await run(process.execPath, ["use.ts"], { cwd: folder })

  const signed = await readFile(join(folder, "signed.pdf"))
  expect(signed.subarray(0, contract.length).equals(contract)).toBe(true)
  const pdf = openPdf(bytesSource(signed))
  expect(readSignatures(pdf)).toMatchObject([
    { fieldName: "Ada", type: "approval", coverage: "whole-revision", fault: undefined },
    { type: "document-timestamp", coverage: "whole-revision", fault: undefined },
    { type: "document-timestamp", coverage: "whole-file", fault: undefined },
  ])
  const { certificates, ocspResponses } = readSecurityStore(pdf)
  expect(certificates).toHaveLength(3)
  expect(ocspResponses).toHaveLength(2)
})
