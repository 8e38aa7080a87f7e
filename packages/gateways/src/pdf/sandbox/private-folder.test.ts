import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { createStock } from "../stock.ts"
import { createPrivateFolder } from "./private-folder.ts"

const spool = mkdtempSync(join(tmpdir(), "paraph-private-"))
const path = join(spool, "sealed")
writeFileSync(path, "sealed bytes", { mode: 0o600 })
const file = { path, key: new Uint8Array(32), context: "document", sizeBytes: 12 }

afterAll(() => rmSync(spool, { recursive: true }))

it("[B6] shows a process one sealed file, for the time of a question", () => {
  const own = createPrivateFolder(spool)
  const given = own.give({ file })
  if (given instanceof Error || given.file === undefined) throw new Error("The file was not linked.")
  expect(readdirSync(own.path)).toHaveLength(1)
  expect(readFileSync(given.file.path, "utf8")).toBe("sealed bytes")
  expect(lstatSync(given.file.path).ino).toBe(lstatSync(path).ino)
  expect(lstatSync(given.file.path).mode & 0o007).toBe(0)
  expect(lstatSync(own.path).mode & 0o007).toBe(0)
  own.clear()
  expect(readdirSync(own.path)).toEqual([])
  expect(existsSync(path)).toBe(true)
  own.remove()
  expect(existsSync(own.path)).toBe(false)
})

it("says what the system says of a file that is gone", () => {
  const own = createPrivateFolder(spool)
  expect(own.give({ file: { ...file, path: `${path}-gone` } })).toMatchObject({ code: "ENOENT" })
  own.remove()
})

it("ends no service whose spool takes no folder any more", async () => {
  const gone = join(spool, "gone")
  const program = { file: "/nowhere.ts", folder: gone, readable: [], addons: true }
  const stock = createStock(program, spool, { rssLimitBytes: 1e9, wallMs: 1000, cpuSeconds: 1 }, 2)
  await new Promise((next) => setImmediate(next))
  expect(() => stock.take({ isDemo: false, leavesLast: false })).toThrow("ENOENT")
  await stock.close()
})
