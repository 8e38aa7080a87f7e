import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { actsOf, COMMANDS, type Command } from "./commands.ts"
import { helpFor, usage, wholeHelp } from "./help.ts"

const README = new URL("../README.md", import.meta.url)

describe("the help", () => {
  it("has one line for each command", () => {
    for (const [name, { about }] of Object.entries<Command>(COMMANDS))
      expect(usage()).toMatch(
        new RegExp(`^  paraph ${name}( ACT)? +${about.replaceAll(/[.*+?()[\]]/g, "\\$&")}$`, "m"),
      )
  })

  it("says of each command and act how it is typed, and what for", async () => {
    for (const [name, command] of Object.entries<Command>(COMMANDS)) {
      const all = await helpFor(name)
      for (const [act, { usage: typed, about }] of Object.entries(await actsOf(command))) {
        expect(all).toContain(`  paraph ${name} ${act} ${typed}`.trimEnd())
        expect(await helpFor(name, act)).toContain(about)
      }
      expect(all).not.toContain("undefined")
    }
    expect(await helpFor("dance")).toBeNull()
  })

  it("is the reference of the README: paraph help all prints it", async () => {
    expect(readFileSync(README, "utf8").split("## Reference\n\n")[1]).toBe(await wholeHelp())
  })
})
