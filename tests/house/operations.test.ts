import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

it("the settings in docs/operations.md are those of `paraph config docs`", () => {
  const printed = execFileSync(process.execPath, [join(ROOT, "apps/cli/src/main.ts"), "config", "docs"], {
    encoding: "utf8",
  })
  const kept = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(read("docs/operations.md"))?.[1]
  expect(printed).toContain("| `DATABASE_URL` | must be given |")
  expect(kept?.trim()).toBe(printed.trim())
})

it("package-lock.json names no place to download from, so that everybody's own registry is used", () => {
  const lock = read("package-lock.json")
  expect(Object.keys(JSON.parse(lock).packages).length).toBeGreaterThan(100)
  expect(lock.match(/"resolved": "\w+:\/\/[^"]*"/g)).toBeNull()
})

describe("no file that is kept", () => {
  const kept = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\0")
    .filter((path) => path !== "")

  it("names a folder of the machine that it was written on", () => {
    expect(kept.length).toBeGreaterThan(100)
    const found = kept.flatMap((path) => placesIn(path).map((place) => `${path}: ${place}`))
    expect(found).toEqual([])
  })

  it.each([
    "x = '/home/ann/main'",
    "cd /root/shared/design",
    "PATH=/root/go/bin",
    "(/home/ann/paraph)",
    "/Users/ann/x",
  ])("as in %s, which this test would find", (line) => {
    expect(machinePlaces(line)).toHaveLength(1)
  })

  it.each([
    "/v2/work/1",
    "src/work/jobs.ts",
    "https://a.example/root/x",
    "the /work of others",
    "a framework/root/",
  ])("as in %s, which is none", (line) => {
    expect(machinePlaces(line)).toHaveLength(0)
  })

  function placesIn(path: string): readonly string[] {
    // This file holds examples of what it looks for.
    if (path === "tests/house/operations.test.ts") return []
    try {
      return machinePlaces(read(path))
    } catch (error) {
      // A file that Git still knows and somebody has just removed.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
      throw error
    }
  }
})

/** A path from the root of the file system into somebody's own folders; not a part of a longer path or address. */
function machinePlaces(text: string): readonly string[] {
  return text.match(/(?<![\w.~}\-/])\/(?:work|root|home|Users)\/[\w.-]+[^\s"'`)]*/g) ?? []
}
