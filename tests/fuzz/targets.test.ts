// The list of what is fuzzed is whole: what a file has is named, and what is named is there.

import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { FILES, names, targetsIn } from "./targets.ts"

const files = readdirSync(join(import.meta.dirname, "targets")).map((name) => name.replace(/\.ts$/, ""))

it("names every file of targets, and each target once", () => {
  expect(Object.keys(FILES).sort()).toEqual(files.sort())
  expect(new Set(names).size).toBe(names.length)
})

it.each(files)("names what %s has, and each of these has seeds and a way to refuse", async (file) => {
  const targets = await targetsIn(file)
  expect(targets.map(({ name }) => name).sort()).toEqual(FILES[file]?.toSorted())
  for (const { name, seeds, refusals } of targets) {
    expect([name, (await seeds()).length > 0, refusals.length > 0]).toEqual([name, true, true])
    // A regression of a target that is gone would be run by nobody.
    if (existsSync(join(import.meta.dirname, "regressions", name)))
      expect(readdirSync(join(import.meta.dirname, "regressions", name))).not.toEqual([])
  }
})

it("keeps no past finding of a target that is gone", () => {
  const kept = readdirSync(join(import.meta.dirname, "regressions"))
  expect(kept.filter((name) => !names.includes(name))).toEqual([])
})
