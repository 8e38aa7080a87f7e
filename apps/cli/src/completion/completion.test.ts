import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bash } from "./bash.ts"
import { fish } from "./fish.ts"
import { places } from "./places.ts"
import { zsh } from "./zsh.ts"

const folder = mkdtempSync(join(tmpdir(), "paraph-completion-"))
const isHere = (shell: string) => spawnSync(shell, ["--version"]).status === 0

beforeAll(async () => {
  const known = await places()
  for (const [name, write] of Object.entries({ bash, zsh, fish }))
    writeFileSync(join(folder, name), write(known))
  mkdirSync(join(folder, "here/a folder"), { recursive: true })
  writeFileSync(join(folder, "here/my contract.pdf"), "")
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["a command", ["verif"], ["verify"]],
  ["an act", ["admin", "list-k"], ["list-keys"]],
  ["an act of the authority", ["ca", "re"], ["request", "revoke"]],
  ["an option of an act", ["admin", "create-key", "--k"], ["--kind"]],
  ["what an option takes", ["admin", "create-key", "--kind", ""], ["demo", "production"]],
  [
    "options, where nothing else can follow",
    ["admin", "revoke-key", "--key", "x", "--"],
    ["--as", "--help", "--json", "--key"],
  ],
  ["a file, where one is meant", ["verify", "my"], ["my contract.pdf"]],
  ["a file after an option that takes one", ["verify", "--trust", "my"], ["my contract.pdf"]],
  ["nothing, where nobody can know", ["admin", "create-key", "--user", ""], []],
  ["a command to be helped with", ["help", "doc"], ["doctor", "documents"]],
  ["a shell", ["completion", ""], ["bash", "fish", "zsh"]],
]

describe("in bash", () => {
  it.each(CASES)("completes %s", (_, words, offered) => {
    const line = `source "$1"; shift; COMP_WORDS=(paraph "$@"); COMP_CWORD=$#; _paraph; printf '%s\\n' "\${COMPREPLY[@]}"`
    const answer = execFileSync("bash", ["--norc", "-c", line, "bash", join(folder, "bash"), ...words], {
      cwd: join(folder, "here"),
      encoding: "utf8",
    })
    expect(answer.split("\n").filter(Boolean).sort()).toEqual(offered)
  })
})

// Not everybody has it; bash above is asked the same.
describe.skipIf(!isHere("fish"))("in fish", () => {
  it.each(CASES)("completes %s", (_, words, offered) => {
    const typed = ["paraph", ...words].join(" ")
    const answer = execFileSync(
      "fish",
      ["--no-config", "-c", `source ${join(folder, "fish")}; complete -C '${typed}'`],
      {
        cwd: join(folder, "here"),
        encoding: "utf8",
      },
    )
    const found = answer.split("\n").flatMap((line) => line.split("\t")[0]?.replaceAll("\\", "") || [])
    expect([...new Set(found)].sort()).toEqual(offered)
  })
})

describe.skipIf(!isHere("zsh"))("in zsh", () => {
  it.each(CASES)("completes %s", (_, words, offered) => {
    // What the shell's own functions would be told to offer, printed; a terminal would be needed for the rest.
    const line = `
      compdef() { : }
      _describe() { for each in \${(P)2}; do [[ \${each%%:*} == $PREFIX* ]] && print -r -- \${each%%:*}; done; true }
      _files() { for each in *(N); do [[ $each == $PREFIX* ]] && print -r -- $each; done; true }
      source $1; shift; words=(paraph "$@"); CURRENT=$#words; PREFIX=$words[-1]; _paraph`
    const answer = execFileSync("zsh", ["-f", "-c", line, "zsh", join(folder, "zsh"), ...words], {
      cwd: join(folder, "here"),
      encoding: "utf8",
    })
    expect(answer.split("\n").filter(Boolean).sort()).toEqual(offered)
  })
})
