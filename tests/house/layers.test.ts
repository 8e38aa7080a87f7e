import { execFile, execFileSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "../..")
const BIOME = join(ROOT, "node_modules/.bin/biome")

/** A house with our rules and our packages, and no code but what a test writes. */
let house: string

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), "paraph-layers-"))
  const manifests = globSync(["{packages,apps}/*/package.json"], { cwd: ROOT })
  for (const file of ["biome.json", "package.json", ".gitignore", ...manifests])
    cpSync(join(ROOT, file), join(house, file))
  // Biome asks Git which files to leave out.
  execFileSync("git", ["init", "--quiet", house])
  // How our own files are formatted is judged elsewhere; here only the offences may be wrong.
  execFileSync(BIOME, ["format", "--write", "."], { cwd: house, stdio: "ignore" })
})

afterAll(() => rmSync(house, { recursive: true }))

it("`npm run check` begins with the linter, on everything, and takes no warning", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  expect(scripts.check).toMatch(/^npm run -s style && npm run -s types && /)
  expect(scripts.style).toBe("biome ci --error-on-warnings .")
})

type Files = Readonly<Record<string, string>>

const offences: readonly (readonly [string, string, Files, Files])[] = [
  [
    "core imports the store",
    "noUndeclaredDependencies",
    {
      "packages/core/src/a.ts": `import { createLimiter } from "@paraph/store/limiter"\n\nexport const a = createLimiter\n`,
    },
    { "packages/core/src/a.ts": `import { LIMITS } from "./limits.ts"\n\nexport const a = LIMITS\n` },
  ],
  [
    "core imports Node",
    "noNodejsModules",
    { "packages/core/src/a.ts": `import { readFileSync } from "node:fs"\n\nexport const a = readFileSync\n` },
    {
      "packages/store/src/a.ts": `import { readFileSync } from "node:fs"\n\nexport const a = readFileSync\n`,
    },
  ],
  [
    "the client for integrators imports a package of ours",
    "noUndeclaredDependencies",
    {
      "packages/sdk/src/a.ts": `import { LIMITS } from "@paraph/core/limits"\n\nexport const a = LIMITS\n`,
    },
    {
      "packages/sdk/src/a.ts": `import createClient from "openapi-fetch"\n\nexport const a = createClient\n`,
    },
  ],
  [
    "the client for integrators imports Node, which not everybody has",
    "noNodejsModules",
    { "packages/sdk/src/a.ts": `import { readFileSync } from "node:fs"\n\nexport const a = readFileSync\n` },
    { "packages/sdk/src/a.ts": `export const a = () => fetch("https://a.example")\n` },
  ],
  [
    "the contract imports the HTTP server",
    "noUndeclaredDependencies",
    { "packages/contract/src/a.ts": `import Fastify from "fastify"\n\nexport const a = Fastify\n` },
    { "packages/contract/src/a.ts": `import { Type } from "typebox"\n\nexport const a = Type\n` },
  ],
  [
    "the store imports the contract",
    "noUndeclaredDependencies",
    {
      "packages/store/src/a.ts": `import { Uuid } from "@paraph/contract/shared/fields"\n\nexport const a = Uuid\n`,
    },
    {
      "packages/store/src/a.ts": `import { LIMITS } from "@paraph/core/limits"\n\nexport const a = LIMITS\n`,
    },
  ],
  [
    "the server reads the environment outside its configuration",
    "noProcessEnv",
    { "apps/server/src/a.ts": "export const a = process.env.HOME\n" },
    { "apps/server/src/config.ts": "export const a = process.env.HOME\n" },
  ],
  [
    "two files import each other",
    "noImportCycles",
    {
      "packages/core/src/a.ts": `import { b } from "./b.ts"\n\nexport const a = () => b\n`,
      "packages/core/src/b.ts": `import { a } from "./a.ts"\n\nexport const b = () => a\n`,
    },
    {
      "packages/core/src/a.ts": `import { b } from "./b.ts"\n\nexport const a = () => b\n`,
      "packages/core/src/b.ts": "export const b = () => 1\n",
    },
  ],
  [
    "somebody calls out past the guarded client",
    "noRestrictedGlobals",
    { "packages/gateways/src/callback/a.ts": `export const a = () => fetch("https://a.example")\n` },
    { "packages/gateways/src/outbound/a.ts": `export const a = () => fetch("https://a.example")\n` },
  ],
  [
    "somebody imports a client of their own",
    "noRestrictedImports",
    { "apps/server/src/a.ts": `import { request } from "node:https"\n\nexport const a = request\n` },
    {
      "packages/gateways/src/outbound/a.ts": `import { request } from "node:https"\n\nexport const a = request\n`,
    },
  ],
]

it.each(offences)(
  "[R12] the check fails when %s, by %s, and passes without",
  async (_, rule, wrong, right) => {
    const refused = await check(wrong)
    expect(refused.exitCode, refused.output).not.toBe(0)
    expect(rulesIn(refused.output)).toEqual([rule])
    const passed = await check(right)
    expect(passed.exitCode, passed.output).toBe(0)
    // It did look: at the files that were written, and at the settings and manifests beside them.
    expect(passed.output).toMatch(/Checked \d+ files/)
  },
)

async function check(files: Files): Promise<{ readonly exitCode: number; readonly output: string }> {
  const limits = { "packages/core/src/limits.ts": "export const LIMITS = {}\n" }
  const written = Object.entries({ ...limits, ...files })
  for (const [path, source] of written) {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), source)
  }
  try {
    return await new Promise((done) => {
      const words = ["ci", "--error-on-warnings", "--colors=off", "."]
      execFile(BIOME, words, { cwd: house }, (error, stdout, stderr) =>
        done({ exitCode: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  } finally {
    for (const [path] of written) rmSync(join(house, path))
  }
}

const rulesIn = (output: string): readonly string[] => [
  ...new Set([...output.matchAll(/ lint\/\w+\/(\w+) /g)].map((match) => match[1] ?? "")),
]
