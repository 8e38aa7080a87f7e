import { describe, expect, it } from "vitest"
import { actsOf, COMMANDS, type Command } from "./commands.ts"
import { NotUnderstood } from "./not-understood.ts"
import { offeredFor, optionsIn, typed, wordsIn } from "./synopsis.ts"

describe("a synopsis", () => {
  it("says which options there are, what each takes, and which may be given again", () => {
    const usage =
      "FILE… --to ADDRESS… [--kind demo|production] [--key FILE]… [--on|--off] [--gone=COUNT] [--json]"
    expect(wordsIn(usage)).toBe("FILE…")
    expect(optionsIn(usage)).toEqual([
      { name: "to", value: "ADDRESS", many: true },
      { name: "kind", value: "demo|production", many: false },
      { name: "key", value: "FILE", many: true },
      { name: "on", value: null, many: false },
      { name: "off", value: null, many: false },
      { name: "gone", value: "COUNT", many: false },
      { name: "json", value: null, many: false },
    ])
  })

  it("tells a shell what to offer", () => {
    expect(offeredFor("demo|production")).toEqual({ words: ["demo", "production"], paths: null })
    expect(offeredFor("N|none")).toEqual({ words: ["none"], paths: null })
    expect(offeredFor("FILE|TEXT")).toEqual({ words: [], paths: "files" })
    expect(offeredFor("DIR")).toEqual({ words: [], paths: "folders" })
    expect(offeredFor("ADDRESS")).toEqual({ words: [], paths: null })
  })

  it("reads what was typed, and refuses an option that it does not name", () => {
    expect(typed("FILE… --to ADDRESS…", ["a.pdf", "--to", "x", "--to", "y"])).toMatchObject({
      values: { to: ["x", "y"] },
      positionals: ["a.pdf"],
    })
    expect(() => typed("[--json]", ["--jsn"])).toThrow(
      new NotUnderstood("There is no option --jsn here. Did you mean --json?"),
    )
    expect(() => typed("[--json]", ["--dance"])).toThrow(
      new NotUnderstood("There is no option --dance here. --help says which there are."),
    )
    expect(() => typed("[--json]", ["word"])).toThrow(NotUnderstood)
  })

  it("names every option that is explained, in every command and act", async () => {
    for (const [name, command] of Object.entries<Command>(COMMANDS))
      for (const [act, { usage, options = {} }] of [
        ["", command] as const,
        ...Object.entries(await actsOf(command)),
      ])
        for (const option of Object.keys(options))
          expect(
            optionsIn(usage).map((one) => one.name),
            `${name} ${act}`,
          ).toContain(option)
  })
})
