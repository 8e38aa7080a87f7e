import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { ROOT } from "./needed.ts"
import { partsOfImage, refused } from "./parts.ts"

const OURS = /^@paraph\//

/** Of one of our packages and those of ours that it needs: what they ask npm for. */
function askedFor(folder: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(folder)) return []
  seen.add(folder)
  const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"))
  return Object.keys(dependencies).flatMap((name) =>
    OURS.test(name) ? askedFor(join("node_modules", name), seen) : name,
  )
}

it("the list of parts names every package that the image needs, no tool, and all may be passed on", () => {
  const { components, dependencies, metadata } = partsOfImage()
  const named = new Set(components.map(({ name }) => name))
  const asked = [...askedFor("apps/server"), ...askedFor("apps/cli"), ...askedFor("apps/router")]
  expect(asked.length).toBeGreaterThan(30)
  expect(asked.filter((name) => !named.has(name))).toEqual([])
  // And what these need, to the last one.
  const refs = new Set(components.map((part) => part["bom-ref"]))
  expect(refs.size).toBeGreaterThan(200)
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([])
  expect(metadata.component.name).toBe("paraph")
  for (const tool of ["vitest", "typescript", "react", "oidc-provider"])
    expect(named.has(tool), tool).toBe(false)
  expect(refused(components)).toEqual([])
})

it("a part that may not be passed on is named", () => {
  const part = (expression: string) => ({ name: "a", version: "1.0.0", licenses: [{ expression }] })
  expect(refused([part("MIT"), part("(GPL-3.0 OR MIT)"), part("MIT AND OFL-1.1")])).toEqual([])
  expect(refused([part("AGPL-3.0")])).toEqual(["a 1.0.0: AGPL-3.0"])
  expect(refused([part("MIT AND GPL-3.0")])).toHaveLength(1)
  expect(refused([{ name: "a", version: "1.0.0" }])).toEqual(["a 1.0.0: no licence"])
})
