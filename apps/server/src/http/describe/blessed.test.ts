import { existsSync, readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { generate } from "./generate.ts"
import { whatBreaks } from "./growth.ts"
import { FILES, type Json, VERSIONS, type Version } from "./words.ts"

const OPENAPI = new URL("../../../../../openapi/", import.meta.url)
const read = (file: string): Json => JSON.parse(readFileSync(new URL(file, OPENAPI), "utf8"))

/** The description of the last release; null until there is one, and missing never after that. */
function released(version: Version): Json | null {
  const file = `released/${FILES[version]}`
  const { version: release } = JSON.parse(
    readFileSync(new URL("../apps/server/package.json", OPENAPI), "utf8"),
  )
  return release === "0.0.0" && !existsSync(new URL(file, OPENAPI)) ? null : read(file)
}

describe("the blessed descriptions", () => {
  let described: Readonly<Record<Version, Json>>
  beforeAll(async () => {
    described = await generate()
  }, 60_000)

  it.each(VERSIONS)("of %s are what the routes say; if not, run npm run openapi", (version) => {
    expect(read(FILES[version])).toEqual(JSON.parse(JSON.stringify(described[version])))
  })

  it.each(["v1", "v2", "validation-v1"] as const)(
    "of %s have only grown since the last release",
    (version) => {
      const before = released(version)
      expect(before === null ? [] : whatBreaks(before, described[version])).toEqual([])
    },
  )

  it("of v3 change as CHANGES.md says", () => {
    const before = released("v3")
    const changes = readFileSync(new URL("CHANGES.md", OPENAPI), "utf8").split(/^## /m)[1] ?? ""
    const broken = before === null ? [] : whatBreaks(before, described.v3)
    // By the operation, such as "GET /documents/{id}".
    expect(broken.filter((what) => !changes.includes(/^\w+ \S+/.exec(what)?.[0] ?? what))).toEqual([])
  })

  it("name every operation once, with words and a tag", () => {
    for (const version of VERSIONS) {
      const paths = described[version].paths as Record<string, Record<string, Json>>
      const operations = Object.values(paths).flatMap((path) => Object.values(path))
      const ids = operations.map(({ operationId }) => operationId)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { operationId, summary, tags } of operations) {
        expect(operationId).toMatch(/^[a-z][A-Za-z]+$/)
        expect(summary).toMatch(/^[A-Z].*[^.]$/)
        expect(tags).toHaveLength(1)
      }
    }
  })

  it("[AUTH-13] v3 declares the security scheme bearer with the format JWT", () => {
    const { securitySchemes } = described.v3.components as Record<string, Json>
    expect(securitySchemes).toEqual({
      bearer: expect.objectContaining({ type: "http", scheme: "bearer", bearerFormat: "JWT" }),
    })
    expect(described.v3.security).toEqual([{ bearer: [] }])
  })
})
