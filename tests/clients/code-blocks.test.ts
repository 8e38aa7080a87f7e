import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { ROOT } from "../service/papers.ts"
import { BLOCKS, NOT_RUN, PARSED, RUN } from "./blocks.ts"

const of = (language: string) => BLOCKS.filter((block) => block.language === language)

describe("blocks of code in the documentation", () => {
  it("are all of a language that is run or read", () => {
    const others = BLOCKS.filter(({ language }) => ![...PARSED, ...RUN, "console", "text"].includes(language))
    expect(others.map(({ name }) => name)).toEqual([])
    expect(BLOCKS.length).toBeGreaterThan(30)
  })

  it("that are not run are named with a reason, and each of those is still there", () => {
    const names = new Set(BLOCKS.filter(({ language }) => RUN.includes(language)).map(({ name }) => name))
    expect(Object.keys(NOT_RUN).filter((name) => !names.has(name))).toEqual([])
  })

  it.each(of("json").map((block) => [block.name, block] as const))("are JSON: %s", (_, { text, meta }) => {
    const value = JSON.parse(text)
    const [, version, schema] = /^(v2|v3|validation-v1) (\w+)$/.exec(meta) ?? []
    if (version === undefined || schema === undefined) return expect(meta).toBe("")
    const check = validator(version, schema)
    check(value)
    expect(check.errors ?? []).toEqual([])
  })

  it.each(of("yaml").map(({ name, text }) => [name, text]))("are YAML: %s", (_, text) => {
    expect(parse(text ?? "")).toBeTypeOf("object")
  })

  it.each(of("http").map(({ name, text }) => [name, text]))("are HTTP: %s", (_, text = "") => {
    const [head = "", ...body] = text.split("\n\n")
    const [first = "", ...headers] = head.split("\n")
    expect(first).toMatch(/^((GET|POST|PUT|PATCH|DELETE) \/\S* HTTP\/1\.1|HTTP\/1\.1 \d{3} .+)$/)
    for (const header of headers) expect(header).toMatch(/^[\w-]+: \S/)
    if (/^content-type: application\/json/im.test(head)) JSON.parse(body.join("\n\n"))
  })
})

/** A schema of a blessed description by its name. */
function validator(version: string, schema: string) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const description = JSON.parse(readFileSync(join(ROOT, "openapi", `${version}.json`), "utf8"))
  ajv.addSchema({ $id: "description", ...description })
  return ajv.compile({ $ref: `description#/components/schemas/${schema}` })
}
